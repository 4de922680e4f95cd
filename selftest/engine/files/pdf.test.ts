import { describe, expect, test } from 'vitest'
import { lettersOnFullestPage, readPdf } from '../../../engine/files/pdf.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { bomb, madePdf, pageOf, rawPdf } from './raw-pdf.ts'

const text = { text: true, timeoutMs: 30_000 }
const plain = { text: false, timeoutMs: 30_000 }

describe('a PDF', () => {
  test('is read page by page, and its buffer stays usable', async () => {
    const bytes = await madePdf(['one', 'two', 'three'])
    const size = bytes.length
    expect(await readPdf(bytes, plain)).toEqual({ pages: 3, flaws: [] })
    expect(await readPdf(bytes, text)).toEqual({
      pages: 3,
      text: ['one', 'two', 'three'],
      flaws: [],
    })
    expect(bytes.length).toBe(size)
    const spaces = Buffer.alloc(900, ' ')
    const amid = await readPdf(Buffer.concat([spaces, bytes, spaces]), text)
    expect(amid).toEqual({ pages: 3, text: ['one', 'two', 'three'], flaws: [] })
    expect(lettersOnFullestPage(amid)).toBe(5)
    expect(lettersOnFullestPage({ ...amid, text: [' a b\nc ', ''] })).toBe(3)
    expect(lettersOnFullestPage({ pages: 1, flaws: [] })).toBe(0)
  })

  test('without text has none', async () => {
    expect(await readPdf(pageOf('0 0 100 100 re f'), text)).toEqual({
      pages: 1,
      text: [''],
      flaws: [],
    })
  })

  test('that needs a password is not a breach', async () => {
    const bytes = await madePdf(['one'], { userPassword: 'secret' })
    const reading = readPdf(bytes, plain)
    await expect(reading).rejects.toThrow('the PDF opens only with a password')
    await expect(reading).rejects.toBeInstanceOf(NotDecidable)
  })

  test('can be read while others are', async () => {
    const files = await Promise.all(['a', 'b', 'c', 'd'].map((line) => madePdf([line])))
    const readings = await Promise.all(files.map((bytes) => readPdf(bytes, text)))
    expect(readings.map((reading) => reading.text)).toEqual([['a'], ['b'], ['c'], ['d']])
  })
})

describe('reports what is wrong with a PDF', () => {
  test.each([
    ['nothing', '', 'it does not begin with %PDF- but with nothing'],
    ['JSON', '{"error":"no"}', 'it does not begin with %PDF- but with "{\\"error\\":\\"no\\"}"'],
    ['HTML', '<!doctype html><h1>Log in</h1>', 'it does not begin with %PDF- but with "<!doctype'],
    ['a beginning', '%PDF-1.7\n', 'byte 9: the file ends without %%EOF, as one that was cut off'],
    ['a frame without anything', '%PDF-1.7\n%%EOF', 'opening the PDF: Invalid PDF structure.'],
  ])('%s in its place', async (_, content, sentence) => {
    const { pages, flaws } = await readPdf(Buffer.from(content), plain)
    expect(pages).toBe(0)
    expect(flaws[0]).toContain(sentence)
  })

  test('a file that is cut', async () => {
    const bytes = await madePdf(['one', 'two', 'three'])
    for (const share of [0.99, 0.7, 0.3]) {
      const { flaws } = await readPdf(bytes.subarray(0, bytes.length * share), text)
      expect(flaws[0]).toMatch(/^byte \d+: the file ends without %%EOF/)
    }
  })

  test('no page', async () => {
    const none = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [] /Count 0 >>',
    ])
    expect((await readPdf(none, plain)).flaws).toEqual(['the PDF has no page'])
  })

  test('pages that refer to themselves', async () => {
    const bytes = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [2 0 R] /Count 1 >>',
    ])
    const { flaws } = await readPdf(bytes, text)
    expect(flaws.join()).toMatch(/PDF: .*circular|PDF: .*[Pp]age/)
  })
})

describe('a hostile PDF ends as a sentence', () => {
  test('content that refers to itself', async () => {
    const { pages, flaws } = await readPdf(pageOf('/X1 Do BT /F1 9 Tf (seen) Tj ET'), text)
    expect({ pages, flaws }).toEqual({ pages: 1, flaws: [] })
  })

  test('a stream that inflates without end', async () => {
    const file = await bomb(200)
    expect(file.length).toBeLessThan(1024 * 1024)
    // The content is inflated only for its text.
    expect(await readPdf(file, plain)).toEqual({ pages: 1, flaws: [] })
    const reading = readPdf(file, { text: true, timeoutMs: 55_000, memoryMb: 128 })
    await expect(reading).rejects.toThrow(
      'page 1 of 1 of the PDF: reading it needs more than 128 MB of memory',
    )
    await expect(reading).rejects.toBeInstanceOf(Trouble)
  })

  test('what takes too long', async () => {
    await expect(readPdf(await bomb(200), { text: true, timeoutMs: 300 })).rejects.toThrow(
      /reading it takes longer than 0.3 s/,
    )
  })
})
