/** A run that cannot be made, in one sentence. */
export class Impossible extends Error {
  override name = 'Impossible'
}
