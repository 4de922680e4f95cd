import { expect, test } from 'vitest'
import { cases } from '../long.ts'
import { brokenIn, runProgram } from '../proofs/prove.ts'
import { csvFiles, pdfFiles } from './corpus.ts'
import { createFilesService, csvForm, type Form, pdfForm } from './stand-in.ts'

// With times of their own: their events cannot be cut out of them in a zone.
const csvs = csvFiles.filter(({ otherwise }) => otherwise?.time === undefined).map(csvForm)
const forms = await Promise.all(pdfFiles.map((file) => pdfForm(file).catch(() => undefined)))
const pdfs = forms.filter((form) => form !== undefined)
const count = Math.max(csvs.length, pdfs.length)
const pairs = Array.from({ length: count }, (_, n) => ({
  csv: csvs[n % csvs.length] as Form,
  pdf: pdfs[n % pdfs.length] as Form,
})).filter((_, n) => n < cases(10) || cases(10) === 10)

test.each(pairs)('no clause finds a breach in $csv.path and $pdf.path', async (pair) => {
  const service = createFilesService(pair)
  const env = { SEED: '1', SETTLE_MS: '60', AUDIT_WAIT_S: '0', MAIL_WAIT_S: '0' }
  const more = { service, pdfLimit: service.limit, makers: {} }
  expect(brokenIn(await runProgram(env, ['--clauses', 'export.*'], more))).toEqual([])
})
