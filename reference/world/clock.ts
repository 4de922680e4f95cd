/** The time in milliseconds since 1970, with fractions; it never goes back. */
export const now = (): number => performance.timeOrigin + performance.now()
