/** The most events in one PDF. */
export const PDF_LIMIT = 5_000
