// Files of npm libraries that were not used while building; papaparse with days as spreadsheets count.
import { readFileSync, writeFileSync } from 'node:fs'
import { asString, generateCsv, mkConfig } from 'export-to-csv'
import { jsPDF } from 'jspdf'
import Papa from 'papaparse'

const few = JSON.parse(readFileSync('few.json', 'utf8'))
const columns = Object.keys(few[0])

const days = few.map((event) => ({
  ...event,
  time: Date.parse(event.time) / 86_400_000 + 25_569,
}))
writeFileSync('papaparse-days.csv', Papa.unparse(days, { delimiter: ';' }))

const options = mkConfig({ useKeysAsHeaders: true, showTitle: true, title: 'Audit events' })
writeFileSync('export-to-csv.csv', asString(generateCsv(options)(few)))

const doc = new jsPDF()
doc.setFontSize(8)
for (const [n, event] of few.entries()) {
  if (n > 0 && n % 10 === 0) doc.addPage()
  const y = 15 + (n % 10) * 26
  for (const [at, name] of columns.slice(0, 6).entries())
    doc.text(`${name}: ${event[name]}`, 10, y + at * 4)
}
writeFileSync('jspdf-cards.pdf', Buffer.from(doc.output('arraybuffer')))
