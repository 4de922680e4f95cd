import { expect, test } from 'vitest'
import { readCsvText } from '../../engine/files/csv.ts'
import { readPdf } from '../../engine/files/pdf.ts'
import { bytesOf, csvFiles, pdfFiles } from './corpus.ts'

/** A file up to each of twenty places. */
const cuts = (whole: Buffer): Buffer[] =>
  Array.from({ length: 20 }, (_, n) => whole.subarray(0, Math.floor((whole.length * n) / 20)))

const unended = (flaw: string) =>
  `record ${/\d+/.exec(flaw)} is not valid CSV: quoted field unterminated`

test.each(csvFiles)('$path is read as far as it goes', async ({ bytes: whole }) => {
  let before = 0
  for (const [n, part] of cuts(whole).entries()) {
    const { count, bytes, flaws } = await readCsvText(part, { keep: 0 })
    // Only that its last cell does not end.
    expect(flaws.length, `cut ${n}: ${flaws.join('; ')}`).toBeLessThanOrEqual(1)
    for (const flaw of flaws) expect(flaw).toBe(unended(flaw))
    expect(bytes, `cut ${n}`).toBe(part.length)
    expect(count, `cut ${n}`).toBeGreaterThanOrEqual(before - 1)
    before = count
  }
})

// A thread that read a broken PDF is not reused, and a new one takes half a second. FILES=all tries
// all cuts, in four minutes.
const opened = process.env.FILES === 'all' ? pdfFiles : pdfFiles.filter((_, at) => at % 13 === 0)

test.each(opened)('$path is reported as cut', { timeout: 60_000 }, async ({ path }) => {
  for (const [n, part] of cuts(bytesOf(path)).entries()) {
    const { flaws } = await readPdf(part, { text: false, timeoutMs: 20_000 })
    expect(flaws.length, `cut ${n}`).toBeGreaterThan(0)
    for (const flaw of flaws) expect(flaw).toMatch(/^[^\n]{10,300}$/)
  }
})
