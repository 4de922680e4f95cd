import { type Answer, type Operator, onSuccess, operator, textOf, withText } from './operator.ts'

/** The rows of a CSV text with their own line ends; a quoted cell may hold a line break. */
export const rowsOf = (text: string): string[] =>
  text.match(/(?:"(?:[^"]|"")*"|[^"\r\n])*(?:\r\n|\n|\r)|(?:"(?:[^"]|"")*"|[^"\r\n])+$/g) ?? []

/** The cells of a row as they are written, without the line end. */
export const cellsOf = (row: string): string[] =>
  row.replace(/[\r\n]+$/, '').match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^,"]*)(?=,|$)/g) ?? []

const endOf = (row: string) => /[\r\n]+$/.exec(row)?.[0] ?? ''
const rowFrom = (cells: readonly string[], end: string) => cells.join(',') + end

const file = (
  family: string,
  part: string,
  what: string,
  by: (answer: Answer) => Answer | undefined,
): Operator => operator('export.csv', family, part, what, onSuccess(by))

/** Changes the rows below the head; nothing to do when there are fewer than `least`. */
const rows = (
  part: string,
  what: string,
  least: number,
  by: (rows: string[], head: string) => readonly string[],
): Operator =>
  file('row', part, what, (answer) => {
    const [head = '', ...below] = rowsOf(textOf(answer))
    return below.length < least ? undefined : withText(answer, head + by(below, head).join(''))
  })

const cells = (
  part: string,
  what: string,
  by: (cells: string[], row: number, of: number) => readonly string[],
): Operator =>
  file('cell', part, what, (answer) => {
    const all = rowsOf(textOf(answer))
    return withText(
      answer,
      all.map((row, n) => rowFrom(by(cellsOf(row), n, all.length), endOf(row))).join(''),
    )
  })

const text = (part: string, what: string, by: (text: string) => string): Operator =>
  file('text', part, what, (answer) => withText(answer, by(textOf(answer))))

const bytes = (part: string, what: string, by: (text: string) => Uint8Array): Operator =>
  file('text', part, what, (answer) => ({ ...answer, body: by(textOf(answer)) }))

const swapped = <T>(list: readonly T[], a: number, b: number): T[] =>
  list.map((item, n) => (n === a ? list[b] : n === b ? list[a] : item) ?? item)
const without = <T>(list: readonly T[], index: number) => list.filter((_, n) => n !== index)
const middle = (list: readonly unknown[]) => Math.floor(list.length / 2)
const unquoted = (cell: string) => cell.replace(/^"|"$/g, '')
const touched = (cell: string) =>
  cell.replace(/[a-y0-8]/i, (c) => String.fromCharCode(c.charCodeAt(0) + 1))
const isTime = (cell: string) => /\d\d:\d\d/.test(cell)

export const csvOperators: readonly Operator[] = [
  rows('drop-first', 'leaves out the first event', 1, (r) => r.slice(1)),
  rows('drop-last', 'leaves out the last event', 1, (r) => r.slice(0, -1)),
  rows('drop-middle', 'leaves out the event in the middle', 1, (r) => without(r, middle(r))),
  rows('drop-tenth', 'leaves out every tenth event', 10, (r) => r.filter((_, n) => n % 10 !== 9)),
  rows('drop-all', 'gives the head only', 1, () => []),
  rows('repeat-last', 'gives the last event twice', 1, (r) => r.concat(r.slice(-1))),
  rows('repeat-all', 'gives every event twice', 1, (r) => r.flatMap((row) => [row, row])),
  rows('swap-first', 'swaps the first two events', 2, (r) => swapped(r, 0, 1)),
  rows('reverse', 'gives the events in the opposite order', 2, (r) => r.toReversed()),
  rows('head-again', 'writes the head again in the middle', 4, (r, head) =>
    r.toSpliced(middle(r), 0, head),
  ),
  rows('cap-10', 'gives ten events at most', 11, (r) => r.slice(0, 10)),
  rows('cap-100', 'gives a hundred events at most', 101, (r) => r.slice(0, 100)),
  rows('blank', 'writes an empty line in the middle', 4, (r) => r.toSpliced(middle(r), 0, '\r\n')),
  rows('one-for-other', 'gives the first event in place of the last', 2, (r) =>
    r.with(-1, r[0] ?? ''),
  ),
  file('row', 'no-head', 'leaves out the head', (a) =>
    withText(a, rowsOf(textOf(a)).slice(1).join('')),
  ),
  file('row', 'no-head-when-empty', 'gives an empty file when no event fits', (a) =>
    rowsOf(textOf(a)).length > 1 ? undefined : withText(a, ''),
  ),
  cells('drop-first', 'leaves out the first column', (c) => c.slice(1)),
  cells('drop-last', 'leaves out the last column', (c) => c.slice(0, -1)),
  cells('drop-one', 'leaves out one cell in the middle row', (c, n, of) =>
    n === Math.floor(of / 2) ? without(c, middle(c)) : c,
  ),
  cells('swap-columns', 'swaps the first two columns with their names', (c) => swapped(c, 0, 1)),
  cells('swap-names', 'swaps the names of the first two columns', (c, n) =>
    n === 0 ? swapped(c, 0, 1) : c,
  ),
  cells('swap-values', 'swaps two cells of the middle row', (c, n, of) =>
    n === Math.floor(of / 2) ? swapped(c, 1, 2) : c,
  ),
  cells('blank-first', 'leaves the first cell of every event empty', (c, n) =>
    n === 0 ? c : c.with(0, ''),
  ),
  cells('cut', 'keeps 20 characters of every cell', (c, n) =>
    n === 0
      ? c
      : c.map((cell) =>
          cell.length > 24 ? unquoted(cell).slice(0, 20).replaceAll('"', '') : cell,
        ),
  ),
  cells('character', 'changes one character of one cell', (c, n, of) =>
    n === Math.floor(of / 2) ? c.map((cell, at) => (at === middle(c) ? touched(cell) : cell)) : c,
  ),
  cells('time', 'gives every time without its hours', (c, n) =>
    n === 0 ? c : c.map((cell) => (isTime(cell) ? cell.replace(/\d\d:\d\d/, '00:00') : cell)),
  ),
  cells('time-raw', 'gives one time one hour off', (c, n) =>
    n !== 1
      ? c
      : c.map((cell) =>
          cell.replace(
            /(\d\d):(\d\d)/,
            (_, h: string, m: string) => `${String((Number(h) + 1) % 24).padStart(2, '0')}:${m}`,
          ),
        ),
  ),
  text('quotes', 'writes no quotes', (t) => t.replaceAll('"', '')),
  text('single-quotes', 'writes a doubled quote as a backslash and a quote', (t) =>
    t.replaceAll('""', '\\"'),
  ),
  text('lf', 'turns each CRLF to LF, or each LF to CRLF', (t) =>
    t.includes('\r\n') ? t.replaceAll('\r\n', '\n') : t.replaceAll('\n', '\r\n'),
  ),
  text('no-last-end', 'leaves out the last line end', (t) => t.replace(/[\r\n]+$/, '')),
  text('semicolon', 'parts the cells with semicolons', (t) =>
    rowsOf(t)
      .map((row) => cellsOf(row).join(';') + endOf(row))
      .join(''),
  ),
  text('tab', 'parts the cells with tabs', (t) =>
    rowsOf(t)
      .map((row) => cellsOf(row).join('\t') + endOf(row))
      .join(''),
  ),
  text('mark', 'begins with a byte order mark', (t) => `\ufeff${t}`),
  text('zero', 'ends with a zero byte', (t) => `${t}\0`),
  text('formula', 'writes = before each event', (t) => t.replace(/\n(?=[^\n])/g, '\n=')),
  bytes('latin1', 'writes the text in Latin-1', (t) => new Uint8Array(Buffer.from(t, 'latin1'))),
  bytes(
    'utf16',
    'writes the text in UTF-16',
    (t) => new Uint8Array(Buffer.from(`\ufeff${t}`, 'utf16le')),
  ),
  file('text', 'json', 'gives the rows as JSON', (a) =>
    withText(a, JSON.stringify(rowsOf(textOf(a)).map(cellsOf))),
  ),
]
