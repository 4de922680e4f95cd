// CSVs by libraries of npm, each with its defaults. Run in a folder with events.json and few.json.
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { createObjectCsvWriter } from 'csv-writer'
import { csvFormat, tsvFormat } from 'd3-dsv'
import { format } from 'fast-csv'
import { Parser } from 'json2csv'
import Papa from 'papaparse'
import XLSX from 'xlsx'

const few = JSON.parse(readFileSync('few.json', 'utf8'))
const all = JSON.parse(readFileSync('events.json', 'utf8'))
const columns = Object.keys(few[0])

writeFileSync('papaparse.csv', Papa.unparse(all))
writeFileSync(
  'papaparse-excel.csv',
  `\ufeff${Papa.unparse(few, { delimiter: ';', quotes: true, escapeFormulae: true })}`,
)
writeFileSync('csv-stringify.csv', stringify(few, { header: true }))
writeFileSync(
  'csv-stringify-quoted.csv',
  stringify(few, { header: true, quoted: true, record_delimiter: 'windows' }),
)
writeFileSync('json2csv.csv', new Parser().parse(few))
writeFileSync('json2csv-excel.csv', new Parser({ excelStrings: true, withBOM: true }).parse(few))
writeFileSync('d3-dsv.csv', csvFormat(few))
writeFileSync('d3-dsv.tsv', tsvFormat(few))
writeFileSync('sheetjs.csv', XLSX.utils.sheet_to_csv(XLSX.utils.json_to_sheet(few)))
XLSX.writeFile(bookOf(few), 'few.xlsx')
await createObjectCsvWriter({
  path: 'csv-writer.csv',
  header: columns.map((id) => ({ id, title: id })),
}).writeRecords(few)
const stream = format({ headers: true })
stream.pipe(createWriteStream('fast-csv.csv'))
for (const event of few) stream.write(event)
stream.end()

function bookOf(rows) {
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, XLSX.utils.json_to_sheet(rows), 'events')
  return book
}
