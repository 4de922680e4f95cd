import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createKnownFiles, readCsv, readCsvText } from '../../../engine/files/csv.ts'

const read = async (text: string) => {
  const { records, flaws, dialect } = await readCsvText(text, { keep: 100 })
  return { records, flaws, dialect }
}
const plain = Array.from({ length: 20 }, (_, n) => `${n},plain,end`)

test('cells with backslashes are decoded, quoted or not, at any chunk border', async () => {
  const last = [...plain, String.raw`20,"a \"quoted\" word",a\, b\nc \\ d\tend`].join('\n')
  const bytes = Buffer.from(`${last}\n`)
  // The beginning decides the dialect of the whole file.
  const long = Buffer.concat([bytes, Buffer.from(`${plain.join('\n')}\n`.repeat(400)), bytes])
  const pieces = Array.from({ length: long.length }, (_, at) => long.subarray(at, at + 1))
  const start = long.length - 2000
  const body = Readable.from([long.subarray(0, start), ...pieces.slice(start)])
  const { records, flaws } = await readCsv(body, { keep: 10_000 })
  expect(records.at(-1)).toEqual(['20', 'a "quoted" word', 'a, b\nc \\ d\tend'])
  expect(flaws).toEqual([])
})

test('a literal backslash escapes nothing', async () => {
  const { records, dialect } = await read(`${[...plain, '20,"C:\\dir\\",end'].join('\n')}\n`)
  expect(records.at(-1)).toEqual(['20', 'C:\\dir\\', 'end'])
  expect(dialect.escapes).toBeUndefined()
})

describe('a form that no exporter writes is not read', () => {
  const rows = (change: (cell: string) => string, delimiter = ',') =>
    [...plain, '20,a word,end']
      .map((line) => line.split(',').map(change).join(delimiter))
      .join('\n')
  // biome-ignore format: one case a line
  test.each([
    ['single quotes', `${rows((cell) => `'${cell}, and more'`)}\n`],
    ['formulas without quotes around them', rows((cell) => `="${cell}"`)],
    ['cells that "^" parts', rows((cell) => cell, '^')],
    ['cells that "\\u0001" parts', rows((cell) => cell, '\u0001')],
    ['cells that " " parts', rows((cell) => `"${cell}"`, ' ')],
    ['UTF-16 without a byte order mark', Buffer.from(rows((cell) => cell), 'utf16le')],
    [
      'backslashes that show only far into it',
      `${rows((cell) => cell)}\n`.repeat(1_000) +
        String.raw`21,"a \"quoted\" word",end`.concat('\n'),
    ],
  ])('%s', async (unread, text) => {
    expect((await readCsvText(text, { keep: 1 })).dialect.unread).toBe(unread)
  })

  test.each([
    ['an apostrophe begins a word', `${rows((cell) => cell)}\n20,'tis,a\n21,'x','y'\n`],
    ['a line in quotes begins as a formula', `${rows((cell) => cell)}\n20,"a\n=""b"", c",end\n`],
    ['other signs stand beside a usual delimiter', rows((cell) => `${cell}~^${cell}`)],
    ['there is one column of texts', 'text\none ^ and more\ntwo\n'],
  ])('but another is: %s', async (_, text) => {
    const { dialect, flaws } = await read(text)
    expect(dialect).toMatchObject({ delimiter: ',', unread: undefined })
    expect(flaws).toEqual([])
  })
})

test('where records end with CR LF, a bare line feed is a flaw only outside quotes', async () => {
  const rows = [...plain, '20,"in\nquotes",end', '21,"in\r\nquotes\nand more",end']
  expect((await read(`${rows.join('\r\n')}\r\n`)).flaws).toEqual([])
  const torn = [...rows, '22,not in\nquotes,end', '23,plain,end']
  const flaw = /^byte \d+ is a line feed outside of quotes, where records end with CR LF$/
  expect((await read(`${torn.join('\r\n')}\r\n`)).flaws).toEqual([expect.stringMatching(flaw)])
})

describe('a file too short to detect its dialect', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, n) => `${n},${n % 3 === 0 ? '"a \\"word\\""' : 'plain'},end`)
  const header = 'id,text,last'

  test('is read as a longer one before it', async () => {
    const known = createKnownFiles()
    await readCsvText([header, ...rows(60)].join('\n'), { keep: 100, known })
    const one = await readCsvText(`${header}\n7,a \\\\ b,end\n`, { keep: 100, known })
    expect(one.records[1]).toEqual(['7', 'a \\ b', 'end'])
  })

  test('but a longer file detects its own', async () => {
    const known = createKnownFiles()
    await readCsvText(`${header}\n7,plain,end\n`, { keep: 100, known })
    const after = await readCsvText(`${[header, ...rows(3)].join('\n')}\n`, { keep: 100, known })
    expect(after.records[1]).toEqual(['0', 'a "word"', 'end'])
  })

  test('unless it has other columns, or another delimiter', async () => {
    const known = createKnownFiles()
    await readCsvText([header, ...rows(60)].join('\n'), { keep: 100, known })
    const others = await readCsvText('id;text\n1;a \\\\ b\n', { keep: 100, known })
    expect(others.records[1]).toEqual(['1', 'a \\\\ b'])
    expect(others.dialect.delimiter).toBe(';')
  })
})
