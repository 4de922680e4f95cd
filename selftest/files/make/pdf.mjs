// PDFs by libraries of npm, and pages that browsers print.
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { Document, Page, renderToFile, StyleSheet, Text, View } from '@react-pdf/renderer'
import { jsPDF } from 'jspdf'
import { autoTable } from 'jspdf-autotable'
import PDFKit from 'pdfkit'
import PdfMake from 'pdfmake'
import { createElement as h } from 'react'

const few = JSON.parse(readFileSync('few.json', 'utf8'))
const all = JSON.parse(readFileSync('events.json', 'utf8'))
const titles = ['Time', 'Id', 'Type', 'Action', 'Comment']
const ascii = (text) => text.replace(/[^ -~]+/g, '?')
const rowOf = ({ time, id, event_type, sub_type, comment }) => [
  time,
  id,
  event_type,
  sub_type,
  ascii(comment),
]
const people = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})
const shown = ({ time, event_type, sub_type, comment }) => [
  people.format(new Date(time)),
  event_type,
  sub_type,
  ascii(comment),
]

const fonts = {
  Helvetica: {
    normal: 'Helvetica',
    bold: 'Helvetica-Bold',
    italics: 'Helvetica-Oblique',
    bolditalics: 'Helvetica-BoldOblique',
  },
}
const made = new PdfMake(fonts).createPdfKitDocument({
  pageOrientation: 'landscape',
  defaultStyle: { font: 'Helvetica', fontSize: 8 },
  header: 'Audit events',
  footer: (page, count) => `${page} of ${count}`,
  content: [
    {
      table: {
        headerRows: 1,
        widths: ['auto', 'auto', 'auto', 'auto', '*'],
        body: [[...titles], ...all.map(rowOf)],
      },
    },
  ],
})
made.pipe(createWriteStream('pdfmake.pdf'))
made.end()

const narrow = new PdfMake(fonts).createPdfKitDocument({
  defaultStyle: { font: 'Helvetica', fontSize: 9 },
  content: [
    {
      table: {
        headerRows: 1,
        widths: [60, 70, 50, 50, '*'],
        body: [[...titles], ...few.map(rowOf)],
      },
    },
  ],
})
narrow.pipe(createWriteStream('pdfmake-wrapped.pdf'))
narrow.end()

const auto = new jsPDF({ orientation: 'landscape' })
autoTable(auto, { head: [[...titles]], body: all.map(rowOf), styles: { fontSize: 7 } })
writeFileSync('jspdf-autotable.pdf', Buffer.from(auto.output('arraybuffer')))

const kit = new PDFKit({ size: 'A4', layout: 'landscape', margin: 30 })
kit.pipe(createWriteStream('pdfkit.pdf'))
kit.fontSize(7)
kit.table({ columnStyles: [120, 180, 60, 60, '*'], data: [[...titles], ...few.map(rowOf)] })
kit.end()

const styles = StyleSheet.create({
  page: { padding: 24, fontSize: 7 },
  row: { flexDirection: 'row' },
  cell: { width: 130, paddingRight: 4 },
})
const cells = (row, n) =>
  h(
    View,
    { style: styles.row, key: n, wrap: false },
    row.map((cell, at) => h(Text, { style: styles.cell, key: at }, cell)),
  )
await renderToFile(
  h(
    Document,
    {},
    h(
      Page,
      { style: styles.page, orientation: 'landscape' },
      [titles, ...few.map(rowOf)].map(cells),
    ),
  ),
  'react-pdf.pdf',
)

const marked = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const html = (rows, head, style = '') =>
  `<!doctype html><meta charset="utf-8"><title>Audit events</title><style>body{font:8pt sans-serif}table{border-collapse:collapse}td,th{border:1px solid #999;padding:2px}${style}</style><h1>Audit events</h1><table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${marked(cell)}</td>`).join('')}</tr>`).join('\n')}</tbody></table>`
const full = ({ time, id, event_type, sub_type, comment }) => [
  time,
  id,
  event_type,
  sub_type,
  comment,
]
writeFileSync('all.html', html(all.map(full), titles))
writeFileSync('few.html', html(few.map(full), titles, 'td{max-width:70px;overflow-wrap:anywhere}'))
writeFileSync('people.html', html(few.map(shown), ['Time', 'Type', 'Action', 'Comment']))

const xml = marked
writeFileSync(
  'all.fo',
  `<fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format"><fo:layout-master-set><fo:simple-page-master master-name="a" page-width="297mm" page-height="210mm" margin="10mm"><fo:region-body/></fo:simple-page-master></fo:layout-master-set><fo:page-sequence master-reference="a"><fo:flow flow-name="xsl-region-body" font-size="7pt"><fo:table table-layout="fixed" width="100%"><fo:table-body>${all
    .map(
      (event) =>
        `<fo:table-row>${rowOf(event)
          .map((cell) => `<fo:table-cell><fo:block>${xml(cell)}</fo:block></fo:table-cell>`)
          .join('')}</fo:table-row>`,
    )
    .join('')}</fo:table-body></fo:table></fo:flow></fo:page-sequence></fo:root>`,
)
