/** A small JSON value: what an observing clause saw, free of ids, times and generated words. */
export type Observation =
  | null
  | boolean
  | number
  | string
  | readonly Observation[]
  | { readonly [name: string]: Observation | undefined }

/** Stands in an observation for what the data at hand did not tell: it is compared with nothing. */
export const notKnown = 'not known'
