/** A PDF of the corpus, and what tells its events apart. */
export type PdfFile = {
  path: string
  /** the script in `make`, and the version of what wrote the file */
  by: string
  events?: 'all'
  /** a column, or `times`; default: the id; time, if lines break ids with hyphens */
  told?: string
}

const all: PdfFile[] = [
  { path: 'chromium.pdf', by: 'prints.sh, Chromium 156' },
  { path: 'fop.pdf', by: 'prints.sh, Apache FOP 2.8' },
  { path: 'jspdf-autotable.pdf', by: 'pdf.mjs, jspdf 4.2.1, jspdf-autotable 5.0.9' },
  { path: 'pdfmake.pdf', by: 'pdf.mjs, pdfmake 0.2.23' },
  { path: 'prawn.pdf', by: 'ruby.rb, Prawn 2.4.0' },
  { path: 'reportlab-table.pdf', by: 'python.py, ReportLab 3.6.12' },
  { path: 'tcpdf.pdf', by: 'php.php, TCPDF 6.6.2' },
  { path: 'wkhtmltopdf.pdf', by: 'prints.sh, wkhtmltopdf 0.12.6' },
]

const few: PdfFile[] = [
  { path: 'chromium-few.pdf', by: 'prints.sh, Chromium 156' },
  { path: 'chromium-people.pdf', by: 'prints.sh, Chromium 156', told: 'times' },
  { path: 'dompdf.pdf', by: 'php.php, Dompdf 2.0.3' },
  { path: 'itext2.pdf', by: 'Csv.java, iText 2.1.7' },
  { path: 'pdfbox.pdf', by: 'Csv.java, Apache PDFBox 1.8.16' },
  { path: 'pdfkit.pdf', by: 'pdf.mjs, pdfkit 0.20.2' },
  { path: 'pdfmake-wrapped.pdf', by: 'pdf.mjs, pdfmake 0.2.23' },
  { path: 'react-pdf.pdf', by: 'pdf.mjs, @react-pdf/renderer 4.9.0', told: 'time' },
  { path: 'reportlab-canvas.pdf', by: 'python.py, ReportLab 3.6.12' },
  { path: 'weasyprint.pdf', by: 'prints.sh, WeasyPrint 57.2' },
  { path: 'wkhtmltopdf-people.pdf', by: 'prints.sh, wkhtmltopdf 0.12.6', told: 'times' },
]

/** What libraries for web exports print of the shared list of events. */
export const pdfFiles: readonly PdfFile[] = [
  ...all.map((file): PdfFile => ({ ...file, path: `pdf-all/${file.path}`, events: 'all' })),
  ...few.map((file) => ({ ...file, path: `pdf-few/${file.path}` })),
]
