/** Stands in an observation for what the data at hand did not tell: it is compared with nothing. */
export const notKnown = 'not known'
