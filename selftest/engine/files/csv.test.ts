import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createKnownFiles, readCsv } from '../../../engine/files/csv.ts'
import { dialectOf, hasBackslashes } from '../../../engine/files/dialect.ts'
import { createUnescaping, plainly } from '../../../engine/files/escapes.ts'
import { createLetters } from '../../../engine/files/utf.ts'
import type { Flaw } from '../../../engine/findings/malformed.ts'
import { readCsvText } from '../../files/read-csv-text.ts'

const keep = { keep: 1000 }

const text = 'a;é\r\n1;日\r\n'
const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
test.each<[string, Buffer]>([
  ['utf-16le', utf16],
  ['utf-16be', Buffer.from(utf16).swap16()],
  ['utf-8', Buffer.from(text)],
  ['utf-8', Buffer.from(`\ufeff${text}`)],
])('a mark decides the encoding: %s', async (encoding, file) => {
  const single = Array.from(file, (byte) => Buffer.from([byte]))
  for (const chunks of [[file], single]) {
    const reading = await readCsv(Readable.from(chunks), { ...keep, charset: 'iso-8859-1' })
    expect(reading).toMatchObject({ encoding, flaws: [], dialect: { unread: undefined } })
    expect(reading.records.map(String)).toEqual(['a,é', '1,日'])
  }
})

// biome-ignore format: one case a line
test.each<[string, string, string | undefined, boolean]>([
  ['another', 'c3a92ce60a', 'gb18030', false],
  ['none', 'e92ce60a', undefined, false],
  ['UTF-8', 'c3a92ce60a', 'utf-8', true],
])('letters of several bytes and of one are read only as UTF-8: %s is declared', async (_, hex, charset, isMixed) => {
  const reading = await readCsvText(Buffer.from(hex, 'hex'), { ...keep, charset })
  expect(reading.isMixed).toBe(isMixed)
  expect(reading.dialect.unread).toBe(isMixed ? undefined : 'letters that are not UTF-8')
})

// biome-ignore format: one case a line
test.each<[string, string[], boolean]>([
  ['UTF-8, also where chunks divide a letter', ['c3', 'a92ce6', '97a50a'], false],
  ['both', ['c3a92c', 'e92c'], true],
  ['UTF-8 with a last letter that is cut', ['c3a92c', 'c3'], false],
  ['several bytes each, some of them zero', ['c3a92c', 'e92c002c'], false],
])('letters of %s are mixed or not', (_, pieces, areMixed) => {
  const letters = createLetters()
  for (const piece of pieces) letters.see(Buffer.from(piece, 'hex'))
  const { ofUtf8, others, zeros } = letters.seen
  expect(ofUtf8 && others && !zeros).toBe(areMixed)
})

test('each record is counted and handed on, and rows that are kept are shared by files', async () => {
  const known = createKnownFiles()
  const given: string[][] = []
  const limits = { keep: 2, known, each: (cells: string[]) => given.push(cells) }
  const [beginning, kept] = ['a,b\n1,2\n\n3,4\n5,6\n', ['a,b', '1,2'].map((row) => row.split(','))]
  const one = await readCsvText(beginning, limits)
  const whole = { count: 4, cut: false, bytes: 17, encoding: 'utf-8', isMixed: false, flaws: [] }
  expect(one).toMatchObject({ ...whole, beginning, records: kept })
  expect(given.map(String)).toEqual(['a,b', '1,2', '3,4', '5,6'])
  const less = await readCsvText('total\na,b\n1,2', limits)
  expect(less.records[1]).toBe(one.records[0])
  expect(known.dialect).toMatchObject({ rows: 4, width: 2 })
  await readCsvText(`total\n${'1,2,3\n'.repeat(5)}`, limits)
  expect(known.dialect).toMatchObject({ rows: 6, width: 3 })
  // A file is kept as far as there is room for its rows.
  const keepRow = ([cell = '']: readonly string[]) => (cell === '3' ? undefined : [cell])
  const some = await readCsvText(beginning, { ...limits, keep: 9, known: { ...known, keepRow } })
  expect(some).toMatchObject({ count: 4, records: [['a'], ['1']] })
})

test('what is not a CSV is not read, and nothing may be one', async () => {
  const none = { count: 0, records: [], flaws: [] }
  expect(await readCsvText('{"a":1}', keep)).toMatchObject({ ...none, cut: true })
  expect(await readCsvText('', keep)).toMatchObject({ ...none, cut: false })
})

// biome-ignore format: one file a line
test.each([
  ['a quote without end', 'a,b\n\n1,"2\n3,4\n', { is: 'invalid CSV', record: 3, message: 'quoted field unterminated' }],
  ['NUL bytes', 'a,b\n1,\0\n', { is: 'NUL', byte: 6 }],
])('reading a file reports %s', async (_, text, flaw) => {
  expect((await readCsvText(text, keep)).flaws).toEqual([flaw])
})

test('a cell of 7 MB is not an error', async () => {
  const text = `id,text\n1,"${'x'.repeat(7 << 20)}"`
  const { beginning, records } = await readCsvText(text, keep)
  expect(beginning).toBe(text.slice(0, 8192))
  expect(records[1]?.[1]).toHaveLength(7 << 20)
})

test('reading a file reports letters of another encoding, and loses only those', async () => {
  const rows = [Buffer.from('id,text\n1,Überprüfung\n'), Buffer.from('2,Überprüfung\n', 'latin1')]
  const { records, isMixed } = await readCsvText(Buffer.concat(rows), keep)
  expect(isMixed).toBe(true)
  expect(records.slice(1).map(String)).toEqual(['1,Überprüfung', '2,\uFFFDberpr\uFFFDfung'])
})

test.each([
  ['200,000 columns', `${'a,'.repeat(200_000)}\n`, /^record 1 has 200001 cells/],
  ['one endless line', 'x'.repeat(65_536), /^record 1, at byte \d+: a line is longer than 8 MB/],
  ['a quote left open', 'a,b\n1,"2', /^record 2, at byte \d+: a record does not end within 8 MB/],
])('reading a file reports %s in a large file', async (_, beginning, sentence) => {
  function* large() {
    yield Buffer.from(beginning)
    const more = beginning.startsWith('x') ? beginning : '3,4\n'.repeat(16_384)
    for (let at = 0; at < 200; at += 1) yield Buffer.from(more)
  }
  await expect(readCsv(Readable.from(large()), keep)).rejects.toThrow(sentence)
})

test('reading stops after enough records', async () => {
  let given = 0
  function* rows() {
    for (;;) {
      given += 1
      yield Buffer.from('1,2\n'.repeat(1000))
    }
  }
  const reading = await readCsv(Readable.from(rows()), { keep: 5, read: 10 })
  expect(reading).toMatchObject({ count: 10, cut: true })
  expect(given).toBeLessThan(100)
})

const read = async (text: string) => {
  const { records, flaws, dialect } = await readCsvText(text, { keep: 100 })
  return { records, flaws, dialect }
}
const plain = Array.from({ length: 20 }, (_, n) => `${n},plain,end`)

test('cells with backslashes are decoded, quoted or not, at any chunk border', async () => {
  const last = [...plain, String.raw`20,"a \"quoted\" word",a\, b\nc \\ d\tend`].join('\n')
  const bytes = Buffer.from(`${last}\n`)
  // The beginning decides the dialect of the whole file.
  const long = Buffer.concat([bytes, Buffer.from(`${plain.join('\n')}\n`.repeat(1_100)), bytes])
  const pieces = Array.from({ length: long.length }, (_, at) => long.subarray(at, at + 1))
  const start = long.length - 2000
  const body = Readable.from([long.subarray(0, start), ...pieces.slice(start)])
  const { records, flaws } = await readCsv(body, { keep: 30_000 })
  expect(records.at(-1)).toEqual(['20', 'a "quoted" word', 'a, b\nc \\ d\tend'])
  expect(flaws).toEqual([])
  const plainOf = createUnescaping(',')
  expect([plainOf('a\\q\\'), plainOf('')]).toEqual(['a\\q', '\\'])
})

// biome-ignore format: one case a line
test.each<[string, string, boolean]>([
  ['1,"a \\"b\\" c",x\n2,y,z\n', ',', true],
  ['1,a \\"b\\" c,x\n', ',', true],
  ['1,"",a \\"b\\" c\n', ',', true],
  ['1,"x ""y"" z",a \\"b\\" c\n', ',', false],
  ['1,C:\\",x\n', ',', false],
  ['1,x,C:\\"\r\n', ',', false],
  ['a\\nb\\\\dir\tc\\N\n', '\t', true],
  ['a\\nb\tC:\\dir\n', '\t', false],
  ['a\\nb\t"c"\n', '\t', false],
])('whether %j, parted by %j, is escaped with backslashes: %s', (text, delimiter, isEscaped) => {
  expect(hasBackslashes(text, delimiter)).toBe(isEscaped)
})

// biome-ignore format: one case a line
test.each<[string, string, string, boolean?]>([
  ['', ',', 'none'],
  ['sep=;\r', ';', '\r', true],
  ['"SEP=|"\na,b|c\r\n', '|', '\r\n', true],
  ['a,b\nsep=;\n1,2\n', ',', '\n'],
  ['"a;b;\n";c|d\n1|2\n', '|', '\n'],
  ['a,b;c;d\n1,2;3;4\n', ';', '\n'],
  ['Report\nof, ada\na;b;c\n1;2;3\n4;5;6\n', ';', '\n'],
  [`${'Report\n'.repeat(20)}a;b\n1;2\n`, ';', '\n'],
  [`${'Report\n'.repeat(21)}a;b\n1;2\n`, ',', '\n'],
])('%j is parted by %j, and its lines end with %j', (text, delimiter, lineEnding, separatorLine = false) => {
  const dialect = { delimiter, lineEnding, separatorLine, byteOrderMark: false, unread: undefined }
  expect(dialectOf(text)).toMatchObject(dialect)
  expect(dialectOf(`\ufeff${text}`)).toMatchObject({ ...dialect, byteOrderMark: true })
})

const rows = (change: (cell: string) => string, delimiter = ',') =>
  [...plain, '20,a word,end'].map((line) => line.split(',').map(change).join(delimiter)).join('\n')
const lines = `${rows((cell) => cell)}\n`
// biome-ignore format: one case a line
test.each([
  ['single quotes', `${rows((cell) => `'${cell}, and more'`)}\n`],
  ['formulas in place of texts', rows((cell) => `="${cell}"`)],
  ['formulas in place of texts', rows((cell) => `"=""${cell}"""`)],
  ['cells that "^" parts', rows((cell) => cell, '^')],
  ['cells that "\\u0001" parts', rows((cell) => cell, '\u0001')],
  ['cells that " " parts', rows((cell) => `"${cell}"`, ' ')],
  ['UTF-16 without a byte order mark', Buffer.from(rows((cell) => cell), 'utf16le')],
  ['backslashes that show only far into it', `${lines.repeat(1_000)}21,"a \\"quoted\\" word",end\n`],
])('a form that no exporter writes is not read: %s', async (unread, text) => {
  expect((await readCsvText(text, { keep: 1 })).dialect.unread).toBe(unread)
})

test('where records end with CR LF, a bare line feed is a flaw only outside quotes', async () => {
  const rows = [...plain, '20,"in\nquotes",end', '21,"in\r\nquotes\nand more",end']
  expect((await read(`${rows.join('\r\n')}\r\n`)).flaws).toEqual([])
  const torn = [...rows, '22,not in\nquotes,end', '23,plain,end']
  const text = `${torn.join('\r\n')}\r\n`
  const flaw = (byte: number): Flaw[] => [{ is: 'line feed', byte }]
  expect((await read(text)).flaws).toEqual(flaw(text.indexOf('\nquotes,end\r\n23')))
  const flawsIn = async (...pieces: string[]) => {
    const flaws: Flaw[] = []
    const body = Readable.from(pieces.map((piece) => Buffer.from(piece)))
    for await (const _ of plainly(body, dialectOf('a,b\r\n'), (each) => flaws.push(each)));
    return flaws
  }
  // Only if the whole line is in one chunk, and no backslash or quote precedes it.
  const unsure = ['a,b\r\n', '\n1,2\r\n', 'x\ny\r\n3,"e\nf"\r\n4,\\\ng\r\n', '\r\n5,h\ni']
  expect(await flawsIn(...unsure)).toEqual([])
  expect(await flawsIn('a,b\r\n', '1\r\n2,"c"\n"d\ne"\r\n')).toEqual(flaw(13))
})

const escaped = (count: number) =>
  Array.from({ length: count }, (_, n) => `${n},${n % 3 === 0 ? '"a \\"word\\""' : 'plain'},end`)
const header = 'id,text,last'

// biome-ignore format: one pair of files a line
test.each<[string, string, string, string[]]>([
  ['is read as a longer one before it', [header, ...escaped(60)].join('\n'), '7,a\\, b,end\n', ['7', 'a, b', 'end']],
  ['but a longer file detects its own', `${header}\n7,plain,end\n`, `${escaped(4).join('\n')}\n`, ['3', 'a "word"', 'end']],
  ['unless it has another delimiter', [header, ...escaped(60)].join('\n'), 'id;text\n1;a \\\\ b\n', ['1', 'a \\\\ b']],
])('a file too short to detect its dialect: %s', async (_, before, text, row) => {
  const known = createKnownFiles()
  await readCsvText(before, { keep: 100, known })
  const { records, dialect } = await readCsvText(text, { keep: 100, known })
  expect(records.at(-1)).toEqual(row)
  const few = 'too few backslashes to show what they escape'
  expect(dialect.unread).toBe(dialect.delimiter === ';' ? few : undefined)
})
