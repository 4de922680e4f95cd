/** The forms of a clause that asks for CSVs; `pdf` names what asks for PDFs, or the reason why nothing does. */
export const asCsv = (pdf: string) => ({
  forms: { 'file type': ['csv'] },
  unasked: { 'file type: pdf': pdf },
})
