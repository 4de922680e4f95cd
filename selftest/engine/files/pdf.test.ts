import { Worker } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import { contentOf, placeOfFile } from '../../../engine/files/content.ts'
import { lettersOnFullestPage, readPdf } from '../../../engine/files/pdf.ts'
import { describeFlaw } from '../../../engine/findings/malformed.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { bomb, madePdf, pageOf, rawPdf } from './raw-pdf.ts'

const text = { text: true, timeoutMs: 30_000 }
const plain = { text: false, timeoutMs: 30_000 }

test('a PDF is read page by page, and its buffer stays usable', async () => {
  const bytes = await madePdf(['one', 'two', 'three'])
  const size = bytes.length
  expect(await readPdf(bytes, plain)).toEqual({ pages: 3, flaws: [] })
  expect(await readPdf(bytes, text)).toEqual({ pages: 3, text: ['one', 'two', 'three'], flaws: [] })
  expect(bytes.length).toBe(size)
  const spaces = Buffer.alloc(900, ' ')
  const amid = await readPdf(Buffer.concat([spaces, bytes, spaces]), text)
  expect(amid).toEqual({ pages: 3, text: ['one', 'two', 'three'], flaws: [] })
  expect(lettersOnFullestPage(amid)).toBe(5)
  expect(lettersOnFullestPage({ ...amid, text: [' a b\nc ', ''] })).toBe(3)
  expect(lettersOnFullestPage({ pages: 1, flaws: [] })).toBe(0)
})

test('a PDF that needs a password is not a breach', async () => {
  const bytes = await madePdf(['one'], { userPassword: 'secret' })
  const reading = readPdf(bytes, plain)
  await expect(reading).rejects.toThrow('the PDF opens only with a password')
  await expect(reading).rejects.toBeInstanceOf(NotDecidable)
})

test('a PDF is trouble, not a breach, where its reader crashes', async () => {
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (this: Worker) {
    void this.terminate()
  })
  const reading = readPdf(await madePdf(['one']), text)
  await expect(reading).rejects.toThrow('opening the PDF: its reader failed (it ended)')
  await expect(reading).rejects.toBeInstanceOf(Trouble)
  vi.restoreAllMocks()
})

test('a PDF can be read while others are', async () => {
  const files = await Promise.all(['a', 'b', 'c', 'd'].map((line) => madePdf([line])))
  const readings = await Promise.all(files.map((bytes) => readPdf(bytes, text)))
  expect(readings.map((reading) => reading.text)).toEqual([['a'], ['b'], ['c'], ['d']])
})

test.each([
  ['JSON', '{"error":"no"}', { is: 'no beginning of a PDF', got: '{"error":"no"}' }],
  ['a beginning', '%PDF-1.7\n', { is: 'no end of a PDF', bytes: 9 }],
  [
    'a frame without anything',
    '%PDF-1.7\n%%EOF',
    { is: 'invalid PDF', message: 'Invalid PDF structure.' },
  ],
])('what is wrong with a PDF is reported: %s in its place', async (_, content, flaw) => {
  const { pages, flaws } = await readPdf(Buffer.from(content), plain)
  expect(pages).toBe(0)
  expect(flaws[0]).toEqual(flaw)
})

test('what is wrong with a PDF is reported: pages that refer to themselves', async () => {
  const bytes = rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [2 0 R] /Count 1 >>',
  ])
  const { flaws } = await readPdf(bytes, text)
  expect(flaws.map(describeFlaw).join()).toMatch(/PDF: .*circular|PDF: .*[Pp]age/)
})

test('a hostile PDF ends as a sentence: content that refers to itself', async () => {
  const { pages, flaws } = await readPdf(pageOf('/X1 Do BT /F1 9 Tf (seen) Tj ET'), text)
  expect({ pages, flaws }).toEqual({ pages: 1, flaws: [] })
})

test('a hostile PDF ends as a sentence: a stream that inflates without end', async () => {
  const file = await bomb(100)
  expect(file.length).toBeLessThan(1024 * 1024)
  // The content is inflated only for its text.
  expect(await readPdf(file, plain)).toEqual({ pages: 1, flaws: [] })
  const reading = readPdf(file, { text: true, timeoutMs: 55_000, memoryMb: 64 })
  await expect(reading).rejects.toThrow(
    'page 1 of 1 of the PDF: reading it needs more than 64 MB of memory',
  )
  await expect(reading).rejects.toBeInstanceOf(Trouble)
})

test('a hostile PDF ends as a sentence: what takes too long', async () => {
  await expect(readPdf(await bomb(60), { text: true, timeoutMs: 300 })).rejects.toThrow(
    /reading it takes longer than 0.3 s/,
  )
})

test.each([
  ['', 'nothing'],
  ['  {\n  "a" : [', 'JSON'],
  ['[{"a":1}]', 'JSON'],
  ['[["a"]]', 'JSON'],
  ['{}', 'JSON'],
  ['<!DOCTYPE html>', 'HTML'],
  ['\ufeff<!-- a --><HTML lang="en">', 'HTML'],
  ['%PDF-1.4', 'PDF'],
  ['PK\u0003\u0004', 'an archive'],
  ['\u001f\ufffd\u0008', 'an archive'],
  ['"{""a"":1}",2', 'text'],
  ['[Audit events] of today', 'text'],
  ['{customer};{time}', 'text'],
  ['<1 hour,2', 'text'],
  ['null', 'text'],
])('content is recognised by its beginning: %j is %s', (beginning, content) => {
  expect(contentOf(beginning)).toBe(content)
})

/** How an answer names the address of its file, and that address. */
const placeIn = (headers: Record<string, string>, beginning: string) => {
  const { told, address } = placeOfFile({ headers }, beginning) ?? {}
  return [told, address]
}
const [one, link] = ['https://files.example.com/1', '</files/1>; rel="enclosure", <2>']

// biome-ignore format: one answer a line
test.each<[Record<string, string>, string, string?, string?]>([
  [{ location: '/files/1' }, '', 'a Location header', '/files/1'],
  [{ location: '/files/1' }, 'a,b'],
  [{ 'content-location': '/files/1' }, '', 'a Content-Location header', '/files/1'],
  [{ link }, '', 'a Link header', '/files/1'],
  [{}, String.raw`{"status":"ready","fileUrl":"https:\/\/files.example.com\/1\u0026a"}`, 'a link in JSON', `${one}&a`],
  [{}, '{"data":{"downloadLink":"https:\\/\\/files.example.com\\/1"},"expires":3}', 'a link in JSON', one],
  [{}, '[{"file_location":"/files/1"}]', 'a link in JSON', '/files/1'],
  [{}, '{"last_error":"no","errors_before":"no","file":"HTTP://files.example.com/1"}', 'a link in JSON', 'HTTP://files.example.com/1'],
  [{}, '{"error":"no","url":"https://errors.example.com"}'],
  [{}, '{"errors":"no","url":"https://errors.example.com"}'],
  [{}, '{"file_name":"events.csv"}'],
  [{}, '{"file":"see https://files.example.com/1"}'],
  [{}, '{"type":"https://errors.example.com/1","title":"no","status":400}'],
  [{}, '{"file":"id,time"}'],
])('with headers %j and the text %j the address of the file is in %s', (headers, text, ...place) => {
  expect(placeIn(headers, text)).toEqual([place[0], place[1]])
})
