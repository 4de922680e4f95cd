import Papa from 'papaparse'
import { createUnescaping, type Escapes } from './escapes.ts'

/** How a delimited text is written, told from its beginning. */
export type Dialect = {
  delimiter: string
  byteOrderMark: boolean
  lineEnding: '\r\n' | '\n' | '\r' | 'none'
  /** a first line that names the delimiter, as spreadsheets understand it */
  separatorLine: boolean
  /** what quotes are where they are no double ones */
  quote?: "'" | undefined
  /** how cells are written that quotes alone do not part */
  escapes?: Escapes | undefined
}

const candidates = [',', ';', '\t', '|']
/** Tried only where none of the usual ones parts a file evenly: they stand in texts as well. */
const rareCandidates = ['^', '~', '\u0001', '\u001f', '\u00a6', '\u00a7']

/** Tells the dialect of a text from its first lines; quotes are honoured. */
export function dialectOf(beginning: string): Dialect {
  const byteOrderMark = beginning.startsWith('\ufeff')
  const text = byteOrderMark ? beginning.slice(1) : beginning
  const named = /^"?sep=(.)"?(\r\n|\n|\r)/i.exec(text)
  const lines = linesOf(named ? text.slice(named[0].length) : text)
  const lineEnding = lines[0]?.ending ?? named?.[2] ?? 'none'
  const delimiter = named?.[1] ?? delimiterOf(lines.map((line) => line.text))
  return {
    delimiter,
    quote: quoteIn(text, delimiter),
    escapes: escapesIn(text, delimiter),
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
  const { delimiter, quote, escapes } = known.dialect
  if (own.delimiter === delimiter && own.quote === quote && own.escapes === escapes) return own
  const whole = escapes ? createUnescaping({ delimiter, escapes })(text) : text
  const { data } = Papa.parse<string[]>(whole.replace(/^\ufeff/, ''), {
    delimiter,
    quoteChar: quote ?? '"',
    skipEmptyLines: true,
  })
  // A shorter one does not know better.
  const isLike = data.length < known.rows && mode(data.map(({ length }) => length)) === known.width
  return isLike ? { ...own, delimiter, quote, escapes } : own
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

/** How many records or quotes of a text make no sense, read in a way. */
function faultsIn(text: string, delimiter: string, quoteChar = '"'): number {
  const { data, errors } = Papa.parse<string[]>(text, {
    delimiter,
    quoteChar,
    skipEmptyLines: true,
  })
  const usual = mode(data.map(({ length }) => length))
  return errors.length + data.filter(({ length }) => length !== usual).length
}

/** Where the first record begins in a text that may begin within one: a line break may be in a cell. */
export function recordStartIn(text: string, delimiter: string): number {
  const starts: number[] = []
  for (let at = text.indexOf('\n'); at >= 0 && starts.length < 5; at = text.indexOf('\n', at + 1))
    starts.push(at + 1)
  const faults = starts.map((start) => faultsIn(text.slice(start, start + 4096), delimiter))
  return starts[faults.indexOf(Math.min(...faults))] ?? 0
}

/** Single quotes are quotes where cells begin with them and none with double ones. */
function quoteIn(text: string, delimiter: string): "'" | undefined {
  const whole = text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
  if (!whole.includes(`${delimiter}'`) || whole.includes(`${delimiter}"`)) return undefined
  const isEven = faultsIn(whole, delimiter, "'") < faultsIn(whole, delimiter)
  // An apostrophe begins a word now and then, and not a cell of every record.
  const isAll = whole.split(`${delimiter}'`).length > whole.split('\n').length
  return isEven || isAll ? "'" : undefined
}

/** Whether cells of whole records have escapes of a kind, so far as they can be without any. */
export function escapesIn(text: string, delimiter: string): Escapes | undefined {
  const whole = text.slice(0, Math.max(text.lastIndexOf('\n') + 1, text.lastIndexOf('\r') + 1))
  if (!/\\|="/.test(whole)) return undefined
  const readWith = (escapes: Escapes) => createUnescaping({ delimiter, escapes })(whole)
  const faultsOf = (escapes: Escapes) => faultsIn(readWith(escapes), delimiter)
  const faults = faultsIn(whole, delimiter)
  if (whole.includes('\\')) {
    const withEscapes = faultsOf('backslash')
    if (withEscapes < faults) return 'backslash'
    if (withEscapes === faults && areEscapes(whole, delimiter)) return 'backslash'
  }
  const isFormula =
    new RegExp(`(^|[\\r\\n]|\\${delimiter})"=""`).test(whole) || readWith('formula') !== whole
  return isFormula && faultsOf('formula') <= faults ? 'formula' : undefined
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
function delimiterOf(lines: string[]): string {
  const usual = bestOf(candidates, lines)
  if (usual.score >= evenly) return usual.delimiter
  // A space parts cells only where texts stand in quotes: a date and its time are one cell.
  const isSpaced = lines.every((text) => text.startsWith('"') && text.includes('" "'))
  const rare = bestOf(isSpaced ? [...rareCandidates, ' '] : rareCandidates, lines)
  return rare.score > Math.max(usual.score, evenly) ? rare.delimiter : usual.delimiter
}

/** Most lines have the same number of cells. */
const evenly = 80

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
