import Papa from 'papaparse'
import { shown } from '../shown.ts'
import { createUnescaping } from './escapes.ts'
import { ranked } from './multiset.ts'

export type Dialect = {
  delimiter: string
  byteOrderMark: boolean
  lineEnding: '\r\n' | '\n' | '\r' | 'none'
  /** a first line that names the delimiter, as spreadsheets write it */
  separatorLine: boolean
  /** whether special characters are written with a backslash in front */
  hasBackslashes: boolean
  /** a form that we do not read because no exporter writes it, as the middle of a sentence */
  unread?: string | undefined
}

const candidates = [',', ';', '\t', '|']

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
    hasBackslashes: hasBackslashes(text, parting),
    unread: unreadForm(text, parting) ?? (named ? undefined : other),
    byteOrderMark,
    lineEnding: lineEnding as Dialect['lineEnding'],
    separatorLine: named !== null,
  }
}

export type KnownDialect = { dialect: Dialect; rows: number; width: number }

/** If the text is too short to detect it, the dialect of a longer file that fits. */
export function dialectAfter(text: string, known: KnownDialect | undefined): Dialect {
  const own = dialectOf(text)
  if (!known) return own
  const { delimiter, hasBackslashes } = known.dialect
  if (own.delimiter === delimiter && own.hasBackslashes === hasBackslashes) return own
  const plainText = hasBackslashes ? createUnescaping(delimiter)(text) : text
  const { data } = Papa.parse<string[]>(plainText.replace(/^\ufeff/, ''), {
    delimiter,
    skipEmptyLines: true,
  })
  // A shorter text shows no more.
  const isLike = data.length < known.rows && mode(data.map(({ length }) => length)) === known.width
  if (isLike) return { ...own, delimiter, hasBackslashes, unread: undefined }
  const isUnsure = hasBackslashes && !own.hasBackslashes && text.includes('\\')
  return isUnsure ? { ...own, unread: 'too few backslashes to show what they escape' } : own
}

/** Enough to count the cells of. */
const maxLinesRead = 50

/** line breaks inside quotes do not end a line */
function linesOf(text: string): { text: string; ending: string }[] {
  const lines: { text: string; ending: string }[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length && lines.length < maxLinesRead; at += 1) {
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

/** A file has at most this many title lines. */
const maxTitleLines = 20

function faultsIn(text: string, delimiter: string): number {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: true })
  const usual = mode(data.map(({ length }) => length))
  return errors.length + data.filter(({ length }) => length !== usual).length
}

const wholeLines = (text: string): string =>
  text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)

function unreadForm(text: string, delimiter: string): string | undefined {
  if (text.split('\0').length - 1 > text.length / 4) return 'UTF-16 without a byte order mark'
  const border = `[\\r\\n\\${delimiter}]`
  const whole = wholeLines(text)
  // In a quoted cell, inner quotes are doubled.
  const formula = new RegExp(`(^|${border})("=""|="(?!"))`)
  if (formula.test(text)) return 'formulas in place of texts'
  if (!new RegExp(`${border}'[^'\\r\\n]*'${border}`).test(whole)) return undefined
  // A text cell may contain them now and then, but not every record does.
  const areAll = whole.split(`${delimiter}'`).length > whole.split('\n').length
  return areAll || faultsIn(whole, delimiter) > 0 ? 'single quotes' : undefined
}

/** Whether special characters are written with backslashes, judged by whole records. */
export function hasBackslashes(text: string, delimiter: string): boolean {
  const whole = wholeLines(text)
  if (!whole.includes('\\')) return false
  const flaws = faultsIn(whole, delimiter)
  const flawsWithEscapes = faultsIn(createUnescaping(delimiter)(whole), delimiter)
  if (flawsWithEscapes === flaws) return areEscapes(whole, delimiter)
  return flawsWithEscapes < flaws
}

/**
 * Whether backslashes within cells are escapes: before quotes that are never doubled, or, in database dumps
 * without quotes, each before a character with a meaning.
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

function delimiterOf(lines: string[]): { delimiter: string; other?: string } {
  const { delimiter, score } = bestOf(candidates, lines)
  // Any other sign that splits each line alike: its cells would be read as a single cell.
  const [first = ''] = lines.map(withoutQuoted)
  const signs = first.trim() === '' ? [' '] : (first.match(/[^\w\s"',;|.:/()+-]/g) ?? [])
  const other = bestOf([...new Set(signs)], lines)
  const isOther = score < evenly && other.score > allAlike && lines.length > 1
  return isOther
    ? { delimiter, other: `cells that ${shown(other.delimiter)} parts` }
    : { delimiter }
}

/** Percent of lines with the same number of cells; all of them with more than two cells ranks highest. */
const [evenly, allAlike] = [80, 102]

function bestOf(candidates: readonly string[], lines: string[]) {
  let best = { delimiter: ',', score: 0 }
  const unquoted = lines.map(withoutQuoted)
  for (const delimiter of candidates) {
    const counts = unquoted.map((line) => line.split(delimiter).length)
    const first = counts.findIndex((count) => count > 1)
    // In a file of one column, a sign followed by a space is more likely part of a text.
    const areTitles = first <= maxTitleLines && !unquoted[first]?.includes(`${delimiter} `)
    const rows = areTitles ? counts.slice(Math.max(0, first)) : counts
    const usual = mode(rows)
    const agreeing = rows.filter((count) => count === usual).length
    const score = usual > 1 ? (agreeing / counts.length) * 100 + Math.min(usual, 30) : 0
    if (score > best.score) best = { delimiter, score }
  }
  return best
}

/** A delimiter inside quotes does not count. An unclosed quote extends to the end. */
const withoutQuoted = (line: string): string =>
  line
    .split('"')
    .filter((_, at) => at % 2 === 0)
    .join('')

const mode = (numbers: number[]): number => ranked(numbers)[0] ?? 0
