import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createKnownFiles, readCsv, readCsvText } from '../../../engine/files/csv.ts'
import { withoutEscapes } from '../../../engine/files/escapes.ts'

const read = async (text: string) => {
  const { records, flaws, dialect } = await readCsvText(text, { keep: 100 })
  return { records, flaws, dialect }
}
const plain = Array.from({ length: 20 }, (_, n) => `${n},plain,end`)

describe('cells that are written with backslashes', () => {
  const last = [...plain, String.raw`20,"a \"quoted\" word",end`].join('\n')

  test('hold what was meant, quoted or not', async () => {
    const { records, flaws } = await read(`${last}\n`)
    expect(records.at(-1)).toEqual(['20', 'a "quoted" word', 'end'])
    expect(flaws).toEqual([])
    const unquoted = [...plain, String.raw`20,a\, b\nc \\ d\tend,\N`].join('\n')
    expect((await read(`${unquoted}\n`)).records.at(-1)).toEqual(['20', 'a, b\nc \\ d\tend', '\\N'])
  })

  test('as those of a database with tabs', async () => {
    const rows = [...plain.map((line) => line.replaceAll(',', '\t')), '20\ta\\\tb\\\nc\tend']
    expect((await read(`${rows.join('\n')}\n`)).records.at(-1)).toEqual(['20', 'a\tb\nc', 'end'])
  })

  test('wherever a piece of the file ends', async () => {
    const bytes = Buffer.from(`${last}\n`)
    // The dialect is told by the beginning, and holds for what lies beyond it.
    const long = Buffer.concat([bytes, Buffer.from(`${plain.join('\n')}\n`.repeat(400)), bytes])
    const pieces = Array.from({ length: long.length }, (_, at) => long.subarray(at, at + 1))
    const start = long.length - 2000
    const body = Readable.from([long.subarray(0, start), ...pieces.slice(start)])
    const { records } = await readCsv(body, { keep: 10_000 })
    expect(records.at(-1)?.[1]).toBe('a "quoted" word')
  })

  test.each([
    ['in no record before', 'plain'],
    ['where a path before has some', String.raw`C:\\temp`],
  ])('that show only far into the file, %s', async (_, text) => {
    const lines = Array.from({ length: 9000 }, (_, n) => `${n},"${text}, Ünterlage",end`)
    lines.push(...plain, ...last.split('\n').slice(-1), ...plain)
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    for (const size of [1000, 65_537]) {
      const count = Math.ceil(bytes.length / size)
      const pieces = Array.from({ length: count }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      )
      const { records, flaws, count: read } = await readCsv(Readable.from(pieces), { keep: 10_000 })
      expect(flaws).toEqual([])
      expect(read).toBe(lines.length)
      expect(records[9020]).toEqual(['20', 'a "quoted" word', 'end'])
      // A pair of them is one of them, wherever it stands.
      const [first, near] = [records[0]?.[1], records[8999]?.[1]]
      expect([first, near]).toEqual(Array(2).fill(`${text.replace('\\\\', '\\')}, Ünterlage`))
    }
  })

  test('are taken out afterwards where a part of the export shows none', () => {
    const cells = [
      String.raw`a \\ b`,
      String.raw`two\nlines`,
      String.raw`a \"word\"`,
      '\\N',
      'end\\',
    ]
    expect(withoutEscapes([cells])).toEqual([['a \\ b', 'two\nlines', 'a "word"', '\\N', 'end\\']])
  })

  test('are not seen where a backslash is a letter like any other', async () => {
    const { records, dialect } = await read(`${[...plain, '20,"C:\\dir\\",end'].join('\n')}\n`)
    expect(records.at(-1)).toEqual(['20', 'C:\\dir\\', 'end'])
    expect(dialect.escapes).toBeUndefined()
  })
})

describe('cells that are written as formulas for their text', () => {
  test('hold the text', async () => {
    const rows = plain.map((line) => line.replaceAll(/[^,]+/g, '="$&, a"'))
    const { records, flaws } = await read(`${rows.join('\r\n')}\r\n`)
    expect(records[3]).toEqual(['3, a', 'plain, a', 'end, a'])
    expect(flaws).toEqual([])
  })

  test('are formulas where only some begin so', async () => {
    const { records } = await read(`${[...plain, '20,=1+1,=A1'].join('\n')}\n`)
    expect(records.at(-1)).toEqual(['20', '=1+1', '=A1'])
  })

  test('are none where a line within quotes begins so', async () => {
    const { records, dialect } = await read(`${[...plain, '20,"a\n=""b"", c",end'].join('\n')}\n`)
    expect(records.at(-1)).toEqual(['20', 'a\n="b", c', 'end'])
    expect(dialect.escapes).toBeUndefined()
  })

  test('keep the lines within them, wherever a piece of the file ends', async () => {
    const rows = ['="an, a","=""x"""', '="a\n=""b"", c",=1+1'].map((row) => `${row}\r\n`)
    const bytes = Buffer.from(rows.join('').repeat(400))
    const start = bytes.length - 500
    const pieces = Array.from({ length: 500 }, (_, n) => bytes.subarray(start + n, start + n + 1))
    const body = Readable.from([bytes.subarray(0, start), ...pieces])
    const { records } = await readCsv(body, { keep: 10_000 })
    expect(records.slice(-2)).toEqual([
      ['an, a', 'x'],
      ['a\n="b", c', '=1+1'],
    ])
  })
})

describe('single quotes', () => {
  test('are quotes where cells begin with them', async () => {
    const rows = [...plain, "20,'a, b\nc ''d''',end", "21,'e, f',end"]
    const { records } = await read(`${rows.join('\n')}\n`)
    expect(records.slice(-2)).toEqual([
      ['20', "a, b\nc 'd'", 'end'],
      ['21', 'e, f', 'end'],
    ])
  })

  test('are apostrophes where a word begins with one', async () => {
    const { records } = await read(`${[...plain, "20,'tis,end"].join('\n')}\n`)
    expect(records.at(-1)).toEqual(['20', "'tis", 'end'])
  })
})

describe('delimiters that few use', () => {
  test.each(['^', '~', '\u0001', '\u00a6'])('%j', async (delimiter) => {
    const rows = plain.map((line) => line.replaceAll(',', delimiter))
    expect((await read(`${rows.join('\n')}\n`)).records[7]).toEqual(['7', 'plain', 'end'])
  })

  test('are not taken where a usual one parts the file', async () => {
    const rows = plain.map((line) => `${line}~${line}^`)
    expect((await read(`${rows.join('\n')}\n`)).dialect.delimiter).toBe(',')
  })
})

describe('a line feed where records end with CR LF', () => {
  test('is told outside of quotes alone', async () => {
    const rows = [...plain, '20,"in\nquotes",end', '21,"in\r\nquotes\nand more",end']
    expect((await read(`${rows.join('\r\n')}\r\n`)).flaws).toEqual([])
    const torn = [...rows, '22,not in\nquotes,end', '23,plain,end']
    const { flaws } = await read(`${torn.join('\r\n')}\r\n`)
    expect(flaws).toEqual([
      expect.stringMatching(
        /^byte \d+ is a line feed outside of quotes, where records end with CR LF$/,
      ),
    ])
  })
})

describe('a file too short to tell how it is written', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, n) => `${n},${n % 3 === 0 ? "'one, two'" : 'plain'},end`)

  test('is read as a longer one before it', async () => {
    const known = createKnownFiles()
    await readCsvText(`id,text,last\n${rows(60).join('\n')}\n`, { keep: 100, known })
    const one = await readCsvText("id,text,last\n7,'x''y',end\n", { keep: 100, known })
    expect(one.records[1]).toEqual(['7', "x'y", 'end'])
  })

  test('and a longer file not as a short one before it', async () => {
    const even = ['a', 'b', 'c'].map((text) => `1,'${text}','end'`).join('\n')
    const quoted = await readCsvText(`id,text,last\n${even}\n`, { keep: 100 })
    const known = createKnownFiles()
    await readCsvText('id,text,last\n7,plain,end\n', { keep: 100, known })
    const after = await readCsvText(`id,text,last\n${even}\n`, { keep: 100, known })
    expect(after.records).toEqual(quoted.records)
  })

  test('unless it has other columns, or parts its cells otherwise', async () => {
    const known = createKnownFiles()
    await readCsvText(`id,text,last\n${rows(60).join('\n')}\n`, { keep: 100, known })
    const others = await readCsvText("id;'text'\n1;'two'\n", { keep: 100, known })
    expect(others.records[1]?.[0]).toBe('1')
    expect(others.dialect.delimiter).toBe(';')
  })
})
