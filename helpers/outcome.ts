/** Trouble on the way to the service, or in the harness: the clause is inconclusive. */
export class Trouble extends Error {
  override name = 'Trouble'
}

/** A missing setting, missing data, or a legal choice of the service: the clause is skipped. */
export class NotDecidable extends Error {
  override name = 'NotDecidable'
}
