import { expect, test } from 'vitest'
import { instantAt, instantOf, readingsOf } from '../../engine/files/dates.ts'
import { countEntries } from '../../engine/files/entries.ts'
import { learnIdentity } from '../../engine/files/identity.ts'
import { shapeOf, tableIn, titlesBefore } from '../../engine/files/line-frame.ts'
import { readPdf } from '../../engine/files/pdf.ts'
import { describeFlaw } from '../../engine/findings/malformed.ts'
import { valuesIn } from '../../helpers/export/learn/columns.ts'
import { sampleOf } from '../kept.ts'
import { isLong, testSeed } from '../long.ts'
import { ofLong } from '../test-end.ts'
import { bytesOf, columns, csvFiles, few, type ListedEvent, listed, pdfFiles } from './corpus.ts'
import { readCsvText } from './read-csv-text.ts'

test.each(csvFiles)('$path, by $by: events, order, ids, times and values', async (file) => {
  const { bytes, events, numbered, otherwise = {} } = file
  const wanted = events === 'all' ? listed : listed.slice(0, few)
  const { records, flaws } = await readCsvText(bytes, { keep: 10_000 })
  const shape = shapeOf(records)
  const table = tableIn(shape, records)
  const own = (row: string[]) => row.slice(numbered ? 1 : 0)
  expect(flaws).toEqual([])
  expect(own(titlesBefore(shape, records) ?? [])).toEqual(columns)

  const rows = (table[0]?.includes('event_type') ? table.slice(1) : table).map(own)
  expect(rows.map((row) => row[0])).toEqual(wanted.map(({ id }) => id))
  const [reading] = readingsOf(rows.map((row) => row[1] ?? ''))
  expect(reading?.dates.map(instantOf)).toEqual(wanted.map(({ time }) => instantAt(time)))

  // A placeholder for no value counts as none.
  const isSame = (cell: string, value: string) =>
    cell === value || (value === '' && valuesIn(cell, 'tag', 'plain').length === 0)
  const apart = columns.flatMap((column, at) => {
    const differing = rows.filter((row, n) => !isSame(row[at] ?? '', wanted[n]?.[column] ?? ''))
    return differing.length > 0 ? [[column, differing.length]] : []
  })
  const known = Object.entries(otherwise).map(([column, { events: count }]) => [column, count])
  expect(Object.fromEntries(apart)).toEqual(Object.fromEntries(known))
})

/** A file up to each of twenty places. */
const cuts = (whole: Buffer): Buffer[] =>
  Array.from({ length: 20 }, (_, n) => whole.subarray(0, Math.floor((whole.length * n) / 20)))

for (const { path, bytes: whole } of csvFiles)
  ofLong(`${path} is read as far as it goes where it is cut`, async () => {
    let before = 0
    for (const part of cuts(whole)) {
      const { count, bytes, flaws } = await readCsvText(part, { keep: 0 })
      // Only that its last cell does not end.
      expect(flaws.map(describeFlaw).join()).toMatch(
        /^(record \d+ is not valid CSV: quoted field unterminated)?$/,
      )
      expect(bytes).toBe(part.length)
      expect(count).toBeGreaterThanOrEqual(before - 1)
      before = count
    }
  })

// A thread that read a broken PDF is not reused, and a new one takes half a second.
for (const { path } of pdfFiles.filter((_, at) => at % 13 === 0))
  ofLong(`${path} is reported where it is cut`, async () => {
    for (const part of cuts(bytesOf(path))) {
      const { flaws } = await readPdf(part, { text: false, timeoutMs: 20_000 })
      expect(flaws.length).toBeGreaterThan(0)
      for (const flaw of flaws) expect(describeFlaw(flaw)).toMatch(/^[^\n]{10,300}$/)
    }
  })

const rowOf = (event: ListedEvent) => Object.values(event)

// `npm run long` reads all.
const short = pdfFiles.filter(({ path }) => path.startsWith('pdf-few'))
const tried = isLong ? pdfFiles : sampleOf(short, 4, testSeed)

test.each(tried)('$path, by $by, shows each event of the CSV once', async (file) => {
  const { path, events, told } = file
  const rows = (events === 'all' ? listed : listed.slice(0, few)).map(rowOf)
  const { text = [], flaws } = await readPdf(bytesOf(path), { text: true, timeoutMs: 50_000 })
  expect(flaws).toEqual([])
  const identity = learnIdentity(text, rows)
  const names = identity.times ? ['times'] : identity.columns.map((at) => columns[at])
  expect(names.join()).toBe(told ?? 'id')
  const whole = { count: rows.length, missing: [], repeated: [] }
  expect(countEntries(text, rows, identity)).toEqual(whole)
  // Absent events are missed, and only these.
  const id = '0badcafe-0000-4000-8000-000000000000'
  const stranger = { ...(listed[7] as ListedEvent), id, time: '2026-01-31T12:34:56.789Z' }
  const more = countEntries(text, [...rows, rowOf(stranger)], identity)
  expect([more.missing.length, more.count]).toEqual([1, rows.length])
})
