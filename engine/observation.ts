/** A small JSON value that an observing clause saw, without ids, times and generated words. */
export type Observation =
  | null
  | boolean
  | number
  | string
  | readonly Observation[]
  | { readonly [name: string]: Observation | undefined }

/** Marks what the data did not show: such a value is not compared. */
export const notKnown = 'not known'
