import { describe, expect, test } from 'vitest'
import { countEntries } from '../../engine/files/entries.ts'
import { learnIdentity } from '../../engine/files/identity.ts'
import { readPdf } from '../../engine/files/pdf.ts'
import { isLong } from '../long.ts'
import { bytesOf, few, type ListedEvent, listed } from './corpus.ts'
import { pdfFiles } from './pdf-files.ts'

const rowOf = (event: ListedEvent) => Object.values(event)

// Those libraries have a short file too: `npm run long` reads the long ones.
const inShort = /pdf-all.(chromium|pdfmake|wkhtmltopdf)/
const tried = isLong ? pdfFiles : pdfFiles.filter(({ path }) => !inShort.test(path))

describe.each(tried)('$path, by $by', ({ path, events, told }) => {
  const rows = (events === 'all' ? listed : listed.slice(0, few)).map(rowOf)

  test('shows each event of the CSV once', { timeout: 60_000 }, async () => {
    const { text = [], flaws } = await readPdf(bytesOf(path), { text: true, timeoutMs: 50_000 })
    expect(flaws).toEqual([])
    const identity = learnIdentity(text, rows)
    expect(
      identity.times
        ? 'times'
        : identity.columns.map((at) => Object.keys(listed[0] ?? {})[at]).join(),
    ).toBe(told ?? 'id')
    expect(countEntries(text, rows, identity)).toEqual({
      count: rows.length,
      missing: [],
      repeated: [],
    })
    // Absent events are missed, and only these.
    const [stranger] = [
      {
        ...(listed[7] as ListedEvent),
        id: '0badcafe-0000-4000-8000-000000000000',
        time: '2026-01-31T12:34:56.789Z',
      },
    ]
    const more = countEntries(text, [...rows, rowOf(stranger)], identity)
    expect(more.missing).toHaveLength(1)
    expect(more.count).toBe(rows.length)
  })
})
