/** How many events a PDF holds at most. */
export const pdfLimit = 5_000

/** As the contract writes it. */
export const pdfLimitInWords = pdfLimit.toLocaleString('en')
