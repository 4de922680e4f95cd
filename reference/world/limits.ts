/** The most events that one PDF holds. */
export const PDF_LIMIT = 5_000
