// CSVs by libraries of npm, each with its defaults; one with days as spreadsheets count. Run it in
// a folder with events.json and few.json.
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { format } from 'fast-csv'
import { Parser } from 'json2csv'
import Papa from 'papaparse'

const few = JSON.parse(readFileSync('few.json', 'utf8'))
const all = JSON.parse(readFileSync('events.json', 'utf8'))

writeFileSync('papaparse.csv', Papa.unparse(all))
writeFileSync(
  'papaparse-excel.csv',
  `\ufeff${Papa.unparse(few, { delimiter: ';', quotes: true, escapeFormulae: true })}`,
)
const days = few.map((event) => ({
  ...event,
  time: Date.parse(event.time) / 86_400_000 + 25_569,
}))
writeFileSync('papaparse-days.csv', Papa.unparse(days, { delimiter: ';' }))
writeFileSync('csv-stringify.csv', stringify(few, { header: true }))
writeFileSync(
  'csv-stringify-quoted.csv',
  stringify(few, { header: true, quoted: true, record_delimiter: 'windows' }),
)
writeFileSync('json2csv.csv', new Parser().parse(few))
writeFileSync('json2csv-excel.csv', new Parser({ excelStrings: true, withBOM: true }).parse(few))
const stream = format({ headers: true })
stream.pipe(createWriteStream('fast-csv.csv'))
for (const event of few) stream.write(event)
stream.end()
