import Papa from 'papaparse'
import { shown } from '../shown.ts'
import { createUnescaping, type Escapes } from './escapes.ts'

/** How a delimited text is written, told from its beginning. */
export type Dialect = {
  delimiter: string
  byteOrderMark: boolean
  lineEnding: '\r\n' | '\n' | '\r' | 'none'
  /** a first line that names the delimiter, as spreadsheets understand it */
  separatorLine: boolean
  /** how cells are written that quotes alone do not part */
  escapes?: Escapes | undefined
  /** a form that is not read, for no writer of web exports makes it: as the middle of a sentence */
  unread?: string | undefined
}

const candidates = [',', ';', '\t', '|']

/** Tells the dialect of a text from its first lines; quotes are honoured. */
export function dialectOf(beginning: string): Dialect {
  const byteOrderMark = beginning.startsWith('\ufeff')
  const text = byteOrderMark ? beginning.slice(1) : beginning
  const named = /^"?sep=(.)"?(\r\n|\n|\r)/i.exec(text)
  const lines = linesOf(named ? text.slice(named[0].length) : text)
  const lineEnding = lines[0]?.ending ?? named?.[2] ?? 'none'
  const { delimiter, other } = delimiterOf(lines.map((line) => line.text))
  const parting = named?.[1] ?? delimiter
  return {
    delimiter: parting,
    escapes: escapesIn(text, parting),
    unread: unreadForm(text, parting) ?? (named ? undefined : other),
    byteOrderMark,
    lineEnding: lineEnding as Dialect['lineEnding'],
    separatorLine: named !== null,
  }
}

/** A dialect in which a file was read, and how its rows came out: how many, and how wide most of them. */
export type KnownDialect = { dialect: Dialect; rows: number; width: number }

/**
 * The dialect of a text, which may be too short to tell it: that of a longer file before, where the text
 * reads in it as that file did.
 */
export function dialectAfter(text: string, known: KnownDialect | undefined): Dialect {
  const own = dialectOf(text)
  if (!known) return own
  const { delimiter, escapes } = known.dialect
  if (own.delimiter === delimiter && own.escapes === escapes) return own
  const whole = escapes === 'backslash' ? createUnescaping(delimiter)(text) : text
  const { data } = Papa.parse<string[]>(whole.replace(/^\ufeff/, ''), {
    delimiter,
    skipEmptyLines: true,
  })
  // A shorter one does not know better.
  const isLike = data.length < known.rows && mode(data.map(({ length }) => length)) === known.width
  return isLike ? { ...own, delimiter, escapes, unread: undefined } : own
}

/** The first whole lines, with line breaks inside quotes left in them. */
function linesOf(text: string, maxLines = 50): { text: string; ending: string }[] {
  const lines: { text: string; ending: string }[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length && lines.length < maxLines; at += 1) {
    const char = text[at]
    if (char === '"') quoted = !quoted
    if (quoted || (char !== '\n' && char !== '\r')) continue
    const ending = char === '\r' && text[at + 1] === '\n' ? '\r\n' : char
    lines.push({ text: text.slice(start, at), ending })
    at += ending.length - 1
    start = at + 1
  }
  if (lines.length === 0 && text !== '') lines.push({ text, ending: 'none' })
  return lines
}

/** More lines before the first that is split are no titles. */
const maxTitleLines = 20

/** How many records or quotes of a text make no sense. */
function faultsIn(text: string, delimiter: string): number {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: true })
  const usual = mode(data.map(({ length }) => length))
  return errors.length + data.filter(({ length }) => length !== usual).length
}

const wholeLines = (text: string): string =>
  text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)

/** Names a form of texts that would be misread. */
function unreadForm(text: string, delimiter: string): string | undefined {
  if (text.split('\0').length - 1 > text.length / 4) return 'UTF-16 without a byte order mark'
  const border = `[\\r\\n\\${delimiter}]`
  // What begins so in quotes has its own quotes doubled.
  if (new RegExp(`(^|${border})="(?!")`).test(text)) return 'formulas without quotes around them'
  const whole = wholeLines(text)
  if (!new RegExp(`${border}'[^'\\r\\n]*'${border}`).test(whole)) return undefined
  // A text may stand in them now and then, and not in a cell of every record.
  const areAll = whole.split(`${delimiter}'`).length > whole.split('\n').length
  return areAll || faultsIn(whole, delimiter) > 0 ? 'single quotes' : undefined
}

/** Whether cells of whole records have escapes of a kind, so far as they can be without any. */
export function escapesIn(text: string, delimiter: string): Escapes | undefined {
  const whole = wholeLines(text)
  if (whole.includes('\\')) {
    const faults = faultsIn(whole, delimiter)
    const withEscapes = faultsIn(createUnescaping(delimiter)(whole), delimiter)
    if (withEscapes < faults) return 'backslash'
    if (withEscapes === faults && areEscapes(whole, delimiter)) return 'backslash'
  }
  return new RegExp(`(^|[\\r\\n\\${delimiter}])"=""`).test(whole) ? 'formula' : undefined
}

/**
 * Whether backslashes that part no cell are escapes: before quotes, none of which is doubled; or, in
 * the form of databases without any quotes, each before a sign that has a meaning there.
 */
function areEscapes(text: string, delimiter: string): boolean {
  const beforeQuotes = /[^\\\r\n]\\"(?![\r\n])/.test(text.replaceAll(`\\"${delimiter}`, ''))
  if (beforeQuotes && !/[^"]""[^"]/.test(text.replaceAll(`${delimiter}""${delimiter}`, delimiter)))
    return true
  const isQuoted = text.includes(`${delimiter}"`)
  return (
    delimiter === '\t' &&
    !isQuoted &&
    !/\\(?:\\\\)*[^\\ntrbfv0NZ]/.test(text.replaceAll('\\\\', ''))
  )
}

/** The candidate that gives most lines the same number of cells; a comma where none does. */
function delimiterOf(lines: string[]): { delimiter: string; other?: string } {
  const { delimiter, score } = bestOf(candidates, lines)
  // Any other sign that parts each line alike: its cells would be taken for one.
  const [first = ''] = lines.map(withoutQuoted)
  const signs = first.trim() === '' ? [' '] : (first.match(/[^\w\s"',;|.:/()+-]/g) ?? [])
  const other = bestOf([...new Set(signs)], lines)
  const isOther = score < evenly && other.score > allAlike && lines.length > 1
  return isOther
    ? { delimiter, other: `cells that ${shown(other.delimiter)} parts` }
    : { delimiter }
}

/** Most lines have the same number of cells; all have, and more than two. */
const [evenly, allAlike] = [80, 102]

function bestOf(
  candidates: readonly string[],
  lines: string[],
): { delimiter: string; score: number } {
  let best = { delimiter: ',', score: 0 }
  const unquoted = lines.map(withoutQuoted)
  for (const delimiter of candidates) {
    const counts = unquoted.map((line) => line.split(delimiter).length)
    const first = counts.findIndex((count) => count > 1)
    // A sign with a space after it is likelier to be one of a text, in a file of one column.
    const areTitles = first <= maxTitleLines && !unquoted[first]?.includes(`${delimiter} `)
    const rows = areTitles ? counts.slice(Math.max(0, first)) : counts
    const usual = mode(rows)
    const agreeing = rows.filter((count) => count === usual).length
    const score = usual > 1 ? (agreeing / counts.length) * 100 + Math.min(usual, 30) : 0
    if (score > best.score) best = { delimiter, score }
  }
  return best
}

/** What stands in quotes is no delimiter; a quote that is left open goes to the end. */
const withoutQuoted = (line: string): string =>
  line
    .split('"')
    .filter((_, at) => at % 2 === 0)
    .join('')

function mode(numbers: number[]): number {
  const tally = new Map<number, number>()
  for (const number of numbers) tally.set(number, (tally.get(number) ?? 0) + 1)
  return [...tally].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}
