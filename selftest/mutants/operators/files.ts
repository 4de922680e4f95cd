// Files of exports: rows, cells and text of a CSV; pages and the limit of a PDF.
import { type Answer, answer, bytesOf, limit, type Operator, textOf, withText } from './operator.ts'
import { kidsOf, withChangedText, withDrawing, withKids } from './pdf-file.ts'

/** The rows of a CSV text with their own line ends; a quoted cell may hold a line break. */
export const rowsOf = (text: string): string[] =>
  text.match(/(?:"(?:[^"]|"")*"|[^"\r\n])*(?:\r\n|\n|\r)|(?:"(?:[^"]|"")*"|[^"\r\n])+$/g) ?? []

/** The cells of a row as they are written, without the line end. */
const cellsOf = (row: string): string[] =>
  row.replace(/[\r\n]+$/, '').match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^,"]*)(?=,|$)/g) ?? []
const endOf = (row: string) => /[\r\n]+$/.exec(row)?.[0] ?? ''

const csv = (id: string, by: (answer: Answer) => Answer | undefined) =>
  answer(`export.csv/${id}`, by)

/** Changes the rows below the header row; nothing to do with fewer than `least`. */
const rows = (
  part: string,
  least: number,
  by: (rows: string[], head: string) => readonly string[],
): Operator =>
  csv(`row/${part}`, (a) => {
    const [head = '', ...below] = rowsOf(textOf(a))
    return below.length < least ? undefined : withText(a, head + by(below, head).join(''))
  })

const text = (id: string, by: (text: string) => string): Operator =>
  csv(id, (a) => withText(a, by(textOf(a))))
const recoded = (part: string, encoding: BufferEncoding, mark = ''): Operator =>
  csv(`text/${part}`, (a) => ({
    ...a,
    body: new Uint8Array(Buffer.from(mark + textOf(a), encoding)),
  }))
const cells = (
  part: string,
  by: (cells: string[], row: number, of: number) => readonly string[],
  delimiter = ',',
): Operator =>
  text(part.includes('/') ? part : `cell/${part}`, (t) =>
    rowsOf(t)
      .map((row, n, { length }) => by(cellsOf(row), n, length).join(delimiter) + endOf(row))
      .join(''),
  )
/** Changes the cells of every event, or of the row in the middle. */
const below = (part: string, by: (cells: string[]) => readonly string[]) =>
  cells(part, (c, n) => (n === 0 ? c : by(c)))
const middle = ({ length }: { length: number }) => Math.floor(length / 2)
const within = (part: string, by: (cells: string[]) => readonly string[]) =>
  cells(part, (c, n, length) => (n === middle({ length }) ? by(c) : c))

const swapped = <T>(list: readonly T[], a: number, b: number): T[] =>
  list.map((item, n) => (n === a ? list[b] : n === b ? list[a] : item) ?? item)
const without = <T>(list: readonly T[], index: number) => list.filter((_, n) => n !== index)
const next = (cell: string) =>
  cell.replace(/[a-y0-8]/i, (c) => String.fromCharCode(c.charCodeAt(0) + 1))

export const csvOperators: readonly Operator[] = [
  rows('drop-first', 1, (r) => r.slice(1)),
  rows('drop-last', 1, (r) => r.slice(0, -1)),
  rows('drop-middle', 1, (r) => without(r, middle(r))),
  rows('drop-tenth', 10, (r) => r.filter((_, n) => n % 10 !== 9)),
  rows('drop-all', 1, () => []),
  rows('repeat-last', 1, (r) => r.concat(r.slice(-1))),
  rows('repeat-all', 1, (r) => r.flatMap((row) => [row, row])),
  rows('swap-first', 2, (r) => swapped(r, 0, 1)),
  rows('reverse', 2, (r) => r.toReversed()),
  rows('head-again', 4, (r, head) => r.toSpliced(middle(r), 0, head)),
  rows('cap-10', 11, (r) => r.slice(0, 10)),
  rows('cap-100', 101, (r) => r.slice(0, 100)),
  rows('blank', 4, (r) => r.toSpliced(middle(r), 0, '\r\n')),
  rows('one-for-other', 2, (r) => r.with(-1, r[0] ?? '')),
  text('row/no-head', (t) => rowsOf(t).slice(1).join('')),
  csv('row/no-head-when-empty', (a) =>
    rowsOf(textOf(a)).length > 1 ? undefined : withText(a, ''),
  ),
  cells('drop-first', (c) => c.slice(1)),
  cells('drop-last', (c) => c.slice(0, -1)),
  within('drop-one', (c) => without(c, middle(c))),
  cells('swap-columns', (c) => swapped(c, 0, 1)),
  cells('swap-names', (c, n) => (n === 0 ? swapped(c, 0, 1) : c)),
  within('swap-values', (c) => swapped(c, 1, 2)),
  below('blank-first', (c) => c.with(0, '')),
  below('cut', (c) =>
    c.map((cell) =>
      cell.length > 24 ? cell.replace(/^"|"$/g, '').slice(0, 20).replaceAll('"', '') : cell,
    ),
  ),
  within('character', (c) => c.map((cell, at) => (at === middle(c) ? next(cell) : cell))),
  below('time', (c) => c.map((cell) => cell.replace(/\d\d:\d\d/, '00:00'))),
  // One time is an hour off.
  cells('time-raw', (c, n) =>
    n !== 1
      ? c
      : c.map((cell) =>
          cell.replace(
            /(\d\d):(?=\d\d)/,
            (_, hour: string) => `${String((Number(hour) + 1) % 24).padStart(2, '0')}:`,
          ),
        ),
  ),
  text('text/quotes', (t) => t.replaceAll('"', '')),
  text('text/single-quotes', (t) => t.replaceAll('""', '\\"')),
  text('text/lf', (t) =>
    t.includes('\r\n') ? t.replaceAll('\r\n', '\n') : t.replaceAll('\n', '\r\n'),
  ),
  text('text/no-last-end', (t) => t.replace(/[\r\n]+$/, '')),
  cells('text/semicolon', (c) => c, ';'),
  cells('text/tab', (c) => c, '\t'),
  text('text/mark', (t) => `\ufeff${t}`),
  text('text/zero', (t) => `${t}\0`),
  text('text/formula', (t) => t.replace(/\n(?=[^\n])/g, '\n=')),
  recoded('latin1', 'latin1'),
  recoded('utf16', 'utf16le', '\ufeff'),
  text('text/json', (t) => JSON.stringify(rowsOf(t).map(cellsOf))),
]

const pdf = (part: string, by: (file: Uint8Array) => Uint8Array | undefined): Operator =>
  answer(`export.pdf/page/${part}`, (a) => {
    const body = by(a.body)
    return body && { ...a, body }
  })
/** Changes the list of pages; nothing to do with fewer than `least`. */
const pages = (
  part: string,
  least: number,
  by: (kids: readonly string[]) => readonly string[],
): Operator =>
  pdf(part, (file) => {
    const kids = kidsOf(file)
    return kids.length < least ? undefined : withKids(file, by(kids))
  })

export const pdfOperators: readonly Operator[] = [
  pages('drop-first', 2, (kids) => kids.slice(1)),
  pages('drop-last', 2, (kids) => kids.slice(0, -1)),
  pages('drop-middle', 3, (kids) => kids.toSpliced(1, 1)),
  pages('first-only', 2, (kids) => kids.slice(0, 1)),
  pages('repeat', 1, (kids) => [...kids.slice(0, 1), ...kids]),
  pages('swap', 2, (kids) => [...kids.slice(0, -2), ...kids.slice(-2).reverse()]),
  pages('one-for-other', 2, (kids) => [...kids.slice(0, -1), ...kids.slice(0, 1)]),
  pdf('blank', (file) => withDrawing(file, () => '')),
  pdf('line', (file) =>
    withDrawing(file, (drawing) => drawing.replace(/\[[^\]]*\] TJ(?![\s\S]*TJ)/, '[] TJ')),
  ),
  pdf('character', withChangedText),
  pdf('no-head', (file) => file.slice(8)),
  pdf('no-tail', (file) => file.slice(0, -1024)),
  pdf('text', () => bytesOf('events\r\n')),
  pdf('utf8', (file) => bytesOf(new TextDecoder().decode(file))),
  limit('export.pdf/limit/one-more', (n) => n + 1),
  limit('export.pdf/limit/one-less', (n) => n - 1),
  limit('export.pdf/limit/none', () => Number.MAX_SAFE_INTEGER),
  limit('export.pdf/limit/tenth', (n) => Math.floor(n / 10)),
]
