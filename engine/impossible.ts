/** Prevents a command or a run; one sentence for each mistake. */
export class Impossible extends Error {
  override name = 'Impossible'
}
