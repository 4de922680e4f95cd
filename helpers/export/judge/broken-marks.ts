// What programs write where they failed to write a value.

import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { shown } from '../../../engine/shown.ts'
import { metadataKeys } from '../../service/operations.ts'
import { type Exports, needCsv, needPdf } from '../ask/exports.ts'
import { nameMatch } from '../learn/cells.ts'
import { confirmed, confirmedOnce } from '../learn/confirmed.ts'
import type { Ranges } from '../learn/ranges.ts'
import { eventRows, recordsAs, spanOf, type Window } from '../learn/window.ts'
import { acceptedLanguages, zonesFarApart } from './zones-and-locales.ts'

/** The marks of a broken program; `null` counts beside other text alone. */
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

const marksIn = (text: string, names = Object.keys(marks) as Mark[]): Mark[] =>
  // In JSON null is a value.
  names.filter((name) => marks[name].test(text) && !(name === 'null' && /^\s*[[{]/.test(text)))

/**
 * Cells of a CSV that are no values, in the window and where a zone and a language are asked for. What
 * people wrote, or chose as metadata, may hold any text.
 */
export async function problemsOfMarks(ranges: Ranges): Promise<Problem[]> {
  const { exports } = ranges
  const [window, few] = [await ranges.window(), await ranges.few()]
  const [locale] = await acceptedLanguages(exports, few, 1)
  const asked = [
    spanOf(window),
    { ...few, timezone: zonesFarApart[0] },
    ...(locale ? [{ ...few, locale }] : []),
  ]
  return confirmed(exports, window, async (fetch) => {
    for (const query of asked) {
      const { answer } = await exports.csv(query)
      const rows = answer.status === 200 ? await fetch(query) : []
      const problems = problemsOfCells(window, rows)
      if (problems.length > 0) return problems
    }
    return []
  })
}

function problemsOfCells(window: Window, rows: string[][]): Problem[] {
  const free = freeColumns(window)
  const found = new Map<Mark, { row: number; column: number }>()
  for (const [row, cells] of rows.entries())
    for (const [column, cell] of cells.entries()) {
      if (free.has(column) || cell === '') continue
      for (const mark of marksIn(cell)) if (!found.has(mark)) found.set(mark, { row, column })
    }
  return [...found].map(([mark, { row, column }]) => {
    const title = window.header?.[column] ?? `column ${column + 1}`
    const cell = shown(rows[row]?.[column])
    return problem(`row ${row + 1} shows ${cell} as ${title}: ${mark} is not a value`, {
      expected: 'a value',
      got: cell,
      judged: rows,
    })
  })
}

/** Columns of what people wrote, by their titles; without titles, those of several words. */
function freeColumns({ header, rows }: Window): Set<number> {
  const titles = header ?? []
  const isFree = (column: number) => {
    const title = titles[column]
    if (title === undefined) return isWordy(rows.map((row) => row[column] ?? ''))
    return ofPeople.test(title) || metadataKeys.some((key) => nameMatch(title, key) !== undefined)
  }
  return new Set((rows[0] ?? []).map((_, column) => column).filter(isFree))
}

const ofPeople = /comment|note|remark|memo|reason|message|detail|metadata|kommentar|bemerkung/i

/** Texts that people wrote: a fifth of them has three words. */
const isWordy = (cells: string[]): boolean =>
  cells.filter((cell) => /\p{L}\s+\p{L}+\s+\p{L}/u.test(cell)).length * 5 > cells.length

/** In a PDF null may be an ordinary word beside others: it is not a mark there. */
const marksOfPdf = (Object.keys(marks) as Mark[]).filter((name) => name !== 'null')

/** Marks in the text of a PDF that no cell of the CSV holds, of the same events. */
export async function problemsOfMarksInPdf(exports: Exports, window: Window): Promise<Problem[]> {
  const { records } = needCsv(await exports.csv(spanOf(window)))
  const cells = eventRows(window, recordsAs(window, records)).flat()
  const inCsv = new Set(cells.flatMap((cell) => marksIn(cell, marksOfPdf)))
  return confirmedOnce(exports, async ({ pdf }) => {
    const found = await pdf(spanOf(window))
    const { text = [] } = await needPdf(found, { text: true })
    const lines = text.flatMap((page, at) =>
      page.split('\n').map((line) => ({ page: at + 1, line })),
    )
    if (lines.every(({ line }) => line.trim() === ''))
      throw new NotDecidable('clause', 'the PDF has no text', 'export.pdf.text')
    return marksOfPdf
      .filter((mark) => !inCsv.has(mark))
      .flatMap((mark) => {
        const at = lines.find(({ line }) => marks[mark].test(line))
        if (!at) return []
        const [part = ''] = marks[mark].exec(at.line) ?? []
        return problem(`page ${at.page} shows ${shown(part)}: ${mark} is not a value`, {
          expected: 'a value',
          got: shown(part),
          judged: from({}, found),
        })
      })
  })
}
