import { expect, test } from 'vitest'
import { readCsvText } from '../../engine/files/csv.ts'
import { readPdf } from '../../engine/files/pdf.ts'
import { madePdf, pageOf, rawPdf } from '../engine/files/raw-pdf.ts'

const megabyte = 1024 * 1024
const read = (text: string | Buffer) => readCsvText(text, { keep: 10 })

test('a CSV of one column, of one row and of 2,000 columns is read', async () => {
  expect((await read('id\n1\n2\n')).widths).toEqual(new Map([[1, 3]]))
  expect((await read('id,time\n1,2\n')).count).toBe(2)
  const wide = `${Array.from({ length: 2000 }, (_, n) => `c${n}`).join(',')}\n${','.repeat(1999)}x\n`
  const { records, flaws } = await read(wide)
  expect(records.map(({ length }) => length)).toEqual([2000, 2000])
  expect(flaws).toEqual([])
})

test('a cell of 7 MB is read, and one beyond 8 MB ends in one sentence', async () => {
  const cell = (mb: number) => `id,text\n1,"${'x'.repeat(mb * megabyte)}"\n`
  expect((await read(cell(7))).records[1]?.[1]).toHaveLength(7 * megabyte)
  await expect(read(cell(9))).rejects.toThrow(/^record \d, at byte \d+: [^\n]*8 MB[^\n]*$/)
})

test('letters of two encodings are read, and only those are lost', async () => {
  const rows = [Buffer.from('id,text\n1,Überprüfung\n'), Buffer.from('2,Überprüfung\n', 'latin1')]
  const { records } = await read(Buffer.concat(rows))
  expect(records[1]).toEqual(['1', 'Überprüfung'])
  expect(records[2]).toEqual(['2', '\uFFFDberpr\uFFFDfung'])
})

const text = { text: true, timeoutMs: 30_000 }

test('a PDF without pages, without text and with a password is told in one sentence', async () => {
  const none = rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'])
  const { flaws, pages } = await readPdf(none, text)
  expect([pages, flaws.length]).toEqual([0, 1])
  expect(flaws[0]).toMatch(/^[^\n]{10,200}$/)
  expect(await readPdf(pageOf('0 0 100 100 re f'), text)).toMatchObject({ text: [''], flaws: [] })
  const locked = await madePdf(['one'], { userPassword: 'secret' })
  await expect(readPdf(locked, text)).rejects.toThrow('the PDF opens only with a password')
})
