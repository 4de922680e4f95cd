/** The time in milliseconds since 1970, with fractions, and never less than it was before. */
export const now = (): number => performance.timeOrigin + performance.now()
