// Marks that programs write when they fail to write a value.

import { inTurn } from '../../../engine/clause/law.ts'
import { squeezedCell } from '../../../engine/files/entry-text.ts'
import type { PdfReading } from '../../../engine/files/pdf.ts'
import { cellFinding } from '../../../engine/findings/cell.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { metadataKeys } from '../../contract/metadata-keys.ts'
import type { History } from '../../history/history.ts'
import { commentIn, mayBeOwn } from '../../service/comments.ts'
import type { Exports } from '../ask/exports.ts'
import { nameMatch } from '../learn/columns.ts'
import { askOnce, gathered } from '../learn/confirmed.ts'
import type { Ranges } from '../learn/ranges.ts'
import { rowsSeen, spanOf, type Window } from '../learn/window.ts'
import { shownOtherwise } from './zones-and-locales.ts'

/** The marks of a broken program; `null` counts only next to other text. */
const marks = {
  'Invalid Date': /\binvalid[ -]?date(time)?\b/i,
  NaN: /\bNaN\b/,
  undefined: /\bundefined\b/,
  '[object Object]': /\[object [A-Z]\w*\]/,
  null: /\S\s*\bnull\b|\bnull\b\s*\S/,
  'an unfilled placeholder': /\{\{[^{}]*\}\}|\$\{[^{}]*\}|(?<![\w%])%s\b/,
  'a fraction without digits': /\d\d:\d\d:\d\d[.,](?!\d)/,
  'an hour above 24': /\d{4}-\d\d-\d\d[T ](2[5-9]|[3-9]\d):[0-5]\d/,
} as const

type Mark = keyof typeof marks
const allMarks = Object.keys(marks) as Mark[]

/** In JSON null is a value. */
const marksIn = (text: string): Mark[] =>
  allMarks.filter((mark) => marks[mark].test(text) && !(mark === 'null' && /^\s*[[{]/.test(text)))

type Cells = { window: Window; rows: string[][] }

export async function askCells({ exports, window: find, few }: Ranges) {
  const window = await find()
  const queries = [spanOf(window), ...(await shownOtherwise(exports, await few()))]
  const ask = async (rows: Promise<string[][]>): Promise<Cells> => ({ window, rows: await rows })
  return inTurn(queries, (query) => gathered(exports, window, (fetch) => ask(fetch(query))))
}

/** Another file shows which columns hold any text. */
export function problemsOfCells({ window: { header, rows: known }, rows }: Cells): Problem[] {
  const found = new Map<Mark, Problem>()
  for (const column of rows[0]?.keys() ?? []) {
    const title = header?.[column]
    const cells = known.map((row) => row[column] ?? '')
    if (isFree(title, cells)) continue
    // What this suite itself wrote may be in the column of any text.
    for (const [at, row] of rows.entries())
      for (const mark of mayBeOwn(row[column] ?? '') ? [] : marksIn(row[column] ?? '')) {
        if (found.has(mark)) continue
        const got = row[column] ?? ''
        const facts = {
          place: { in: 'csv' },
          column: title ?? column + 1,
          ...wrongTextOf(mark, got),
        } as const
        const finding = cellFinding(facts, { wrong: 'mark', mark, got, at: { row: at + 1 } })
        found.set(mark, problem(finding, { judged: rows }))
      }
  }
  return [...found.values()]
}

/** What a script looks for: null also stands in place of no value. */
function wrongTextOf(mark: Mark, got: string): { wrongText?: string } {
  const text = mark === 'null' ? undefined : marks[mark].exec(got)?.[0]
  return text === undefined ? {} : { wrongText: text }
}

/** A column may hold any text by its title; without one, if three words stand in a fifth of it. */
function isFree(title: string | undefined, cells: readonly string[]): boolean {
  if (title !== undefined)
    return ofPeople.test(title) || metadataKeys.some((key) => nameMatch(title, key) !== undefined)
  return cells.filter((cell) => /\p{L}\s+\p{L}+\s+\p{L}/u.test(cell)).length * 5 > cells.length
}

const ofPeople = /comment|note|remark|memo|reason|message|detail|metadata|kommentar|bemerkung/i

/** A PDF, and the texts that may stand in it: cells of the CSV with the same events, and comments of the run. */
type Texts = { pdf: PdfReading; known: string[] }

export async function askTexts(exports: Exports, window: Window, { ended }: History) {
  const sent = ended.flatMap(({ body }) => commentIn(body) ?? [])
  const ask = async ({ csvFile, pdfFile }: Exports): Promise<Texts> => {
    const rows = rowsSeen(window, await csvFile(spanOf(window)))
    return { known: [...rows.flat(), ...sent], pdf: await pdfFile(spanOf(window)) }
  }
  return askOnce(exports, ask)
}

/** Marks that a known text holds do not count. */
export function problemsOfTexts({ pdf, known: texts }: Texts): Problem[] {
  const known = squeezedCell(texts.filter((text) => marksIn(text).length > 0).join(' '))
  const lines = (pdf.text ?? []).flatMap((page, at) =>
    page.split('\n').map((line) => ({ page: at + 1, line })),
  )
  if (lines.every(({ line }) => line.trim() === ''))
    throw new NotDecidable('clause', 'the PDF has no text', 'export.pdf.text')
  const cells = texts.map(squeezedCell)
  return allMarks.flatMap((mark) => {
    const [at] = lines.flatMap(({ page, line }) => {
      const text = mark === 'null' ? nullWithin(line, cells) : marks[mark].exec(line)?.[0]
      return text === undefined || known.includes(squeezedCell(text)) ? [] : [{ page, text }]
    })
    if (!at) return []
    const { page, text: got } = at
    const finding = cellFinding(
      { place: { in: 'pdf' }, ...wrongTextOf(mark, got) },
      { wrong: 'mark', mark, got, at: { page } },
    )
    return problem(finding, { judged: pdf })
  })
}

const telling = 12

/**
 * The words before null in a line where they stand in cells of the CSV that go on otherwise, and end none: a cell of
 * a PDF may show null for no value, and any words may stand before that cell.
 */
function nullWithin(line: string, cells: readonly string[]): string | undefined {
  const [, before = ''] = /^(.*?)\bnull\b/.exec(line) ?? []
  const words = squeezedCell(before).slice(-telling)
  const isWithin = cells.some((cell) => cell.includes(words) && !cell.endsWith(words))
  const isWhole = words.length < telling || cells.some((cell) => cell.endsWith(words))
  return isWithin && !isWhole ? `${before.trim().slice(-telling * 2)} null` : undefined
}
