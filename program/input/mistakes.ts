/** A command line that cannot be followed, in one sentence. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** A run that cannot be made, in one sentence. */
export class Impossible extends Error {
  override name = 'Impossible'
}
