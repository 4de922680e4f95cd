/** What keeps a command from doing its work, or a run from being made: a sentence for each mistake. */
export class Impossible extends Error {
  override name = 'Impossible'
}
