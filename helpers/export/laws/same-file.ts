import { caseOrWhy } from '../../../engine/clause/law.ts'
import { distinct } from '../../../engine/distinct.ts'
import { contentOf } from '../../../engine/files/content.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import { isSameRecord, titlesBefore } from '../../../engine/files/line-frame.ts'
import {
  columnsOf,
  isEqual,
  type Multiset,
  multisetOf,
  otherColumns,
  sharedBy,
} from '../../../engine/files/multiset.ts'
import { cellFinding } from '../../../engine/findings/cell.ts'
import { exactly, type Place, rowsFinding } from '../../../engine/findings/file-rows.ts'
import { twinsFinding } from '../../../engine/findings/twins.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import { problemsOfStatus } from '../../../engine/http/status-problems.ts'
import { from } from '../../../engine/origin.ts'
import { type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { premise } from '../../service/answers.ts'
import { problemOfContent } from '../ask/breaches.ts'
import { needDecidable } from '../ask/decidable.ts'
import type { CsvExport, Exports } from '../ask/exports.ts'
import { idsOfChanged, placeOf } from '../ask/places.ts'
import type { Query } from '../ask/query.ts'
import { askOnce, gathered, rowsOf } from '../learn/confirmed.ts'
import type { Ranges } from '../learn/ranges.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { problemsOfEvents } from './file.ts'
import { shownOtherwise } from './zones-and-locales.ts'

/** Each file is fetched twice, which shows what varies by itself. */
export type Twins = {
  window: Window
  found: CsvExport
  looks: Look[]
  control: Look[]
  /** the two files */
  place: Place
  beside: Place
}
type Look = { rows: string[][]; titles: string[] }

const hasText = ({ csv }: CsvExport) => /^(text|nothing)$/.test(contentOf(csv?.beginning ?? ''))

export const askTwins = (exports: Exports, window: Window, one: Query, other: Query) =>
  gathered(exports, window, async (_, port, isSuspected): Promise<Twins> => {
    const found = await port.csv(one)
    needDecidable(found.answer)
    const lookAt = (file: CsvExport): Look => {
      const rows = rowsOf(window, file)
      const { records } = file.csv as CsvReading
      const titles = [...(titlesBefore(window.shape, records) ?? [])]
      return from({ rows, titles: from(titles, records) }, records)
    }
    const places = { place: placeInWindow(one), beside: placeInWindow(other) }
    if (!isAccepted(found.answer) || !hasText(found))
      return { window, found, looks: [], control: [], ...places }
    const [looks, control] = [[lookAt(found)], [] as Look[]]
    const more = isSuspected ? [one, other, other] : [other]
    for (const query of more) (query === one ? looks : control).push(lookAt(await port.csv(query)))
    return { window, found, looks, control, ...places }
  })

const placeInWindow = ({ start, end, ...query }: Query): Place => placeOf(query)

export function problemsOfTwins(twins: Twins): Problem[] {
  const { window, found, looks, control } = twins
  const wrong = problemsOfStatus(found.answer, '2xx')
  if (wrong.length > 0) return wrong
  if (!hasText(found)) return [problemOfContent(found.answer, found.csv?.beginning ?? '', found)]
  const inRows = problemsOfRows(twins)
  return inRows.length > 0 ? inRows : problemsOfTitles(window, looks, control)
}

const maxNames = 3

function problemsOfRows({ window: { columns, header }, looks, control, place, beside }: Twins) {
  const { rows } = looks.at(-1) as Look
  const { rows: others } = control[0] as Look
  const apartIn = (some: readonly number[]) =>
    some
      .filter((column) => !isEqual(multisetOf(rows, [column]), multisetOf(others, [column])))
      .map((column) => header?.[column] ?? `column ${column + 1}`)
  const [one, other] = [from(multisetOf(rows, columns), rows), multisetOf(others, columns)]
  const names = apartIn(columns)
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more columns` : ''
  const shown = names.slice(0, maxNames).join(', ') || 'the combination of cells'
  const what = `the files differ in ${shown}${more}`
  const wanted = { least: other, most: other, control: others, what, beside }
  if (!isEqual(one, other)) return problemsOfEvents(place, one, wanted)
  const changing = apartIn(otherColumns(rows, columns)).join(', ')
  const open = `the files agree but for ${changing}, which differs between two equal requests too; the contract does not specify the columns of a file`
  premise(changing === '', 'freedom', open)
  return []
}

/** Column headers that only one file has, in each of its answers; their order is free. */
function problemsOfTitles({ header }: Window, looks: Look[], control: Look[]): Problem[] {
  const [[{ titles }], [{ titles: others }]] = [looks, control] as [[Look], [Look]]
  const ownOf = (own: string[], beside: string[]) =>
    own.filter((title) => !beside.includes(title)).slice(0, 1)
  const ours = ownOf(titles, others)
  const theirs = ownOf(others, titles)
  const isLasting =
    looks.every((each) => isSameRecord(each.titles, titles)) &&
    control.every((each) => isSameRecord(each.titles, others))
  // In a file of one column, the header row may be a line about the query.
  const isOpen = !header || header.length < 2 || !isLasting
  const finding = twinsFinding({
    things: 'column headers',
    wanted: 'alike',
    one: { name: 'this file alone', has: ours },
    other: { name: 'the other file alone', has: theirs },
  })
  const isSame = ours.length === 0 && theirs.length === 0
  return problemUnless(isOpen || isSame, finding, { judged: titles, control: others })
}

export type Titled = { asked: string; plain: TitleRow; other: TitleRow }
type TitleRow = { titles: readonly string[]; count: number }

export async function* askTitleRows({ exports, window, few: findFew }: Ranges) {
  const [{ shape }, few] = [await window(), await findFew()]
  const look = async (query: Query, { csvFile }: Exports): Promise<TitleRow> => {
    const { records, count } = await csvFile(query)
    const titles = titlesBefore(shape, records) ?? []
    return from({ titles, count }, records)
  }
  for (const query of await shownOtherwise(exports, few)) {
    const ask = async (port: Exports): Promise<Titled> => {
      const [plain, other] = [await look(few, port), await look(query, port)]
      const asked = query.locale ? `locale=${query.locale}` : `timezone=${query.timezone}`
      return { asked, plain, other }
    }
    yield caseOrWhy(askOnce(exports, ask))
  }
}

export function problemsOfTitleRow({ asked, plain, other }: Titled): Problem[] {
  const isOne = (plain.titles.length === 0) !== (other.titles.length === 0)
  const finding = twinsFinding({
    things: 'header rows',
    wanted: 'alike',
    one: { name: `the CSV without ${asked}`, has: plain.titles },
    other: { name: 'the CSV with it', has: other.titles },
  })
  const isRight = !isOne || Math.abs(plain.count - other.count) !== 1
  return problemUnless(isRight, finding, { judged: plain, control: other })
}

const [minLooks, maxLooks] = [3, 5]

type Repeated = { window: Window; looks: string[][][] }

export async function askRepeated(exports: Exports, window: Window): Promise<Repeated> {
  const look = async (port: Exports) => rowsOf(window, await port.csv(spanOf(window)))
  const looks = [await look(exports)]
  const again = async () => looks.push(await look(exports.fresh))
  while (looks.length < minLooks) await again()
  const [first = new Map(), ...others] = setsOf({ window, looks })
  const isSame = others.every((set) => isEqual(set, first))
  while (!isSame && looks.length < maxLooks) await again()
  return { window, looks }
}

function setsOf({ window, looks }: Repeated): Multiset[] {
  const columns = window.columns.length > 0 ? window.columns : columnsOf(looks.flat())
  return looks.map((rows) => multisetOf(rows, columns))
}

export const problemsOfRepeated = (one: Repeated): Problem[] => [
  ...problemsOfUnstableIds(one),
  ...problemsOfUnstableRows(one),
]

/** Only rows that come, go and come again count: events may arrive late, and old events may be deleted. */
function problemsOfUnstableRows({ window, looks }: Repeated): Problem[] {
  const sets = setsOf({ window, looks })
  const rows = distinct(sets.flatMap((set) => [...set.keys()]))
  const restless = rows.filter((row) => cameAgain(sets.map((set) => set.get(row) ?? 0)))
  const finding = rowsFinding({
    wrong: 'unsteady',
    place: { in: 'csv' },
    wanted: exactly(rows.length),
    got: rows.length - restless.length,
    count: restless.length,
    parts: looks.map(({ length }) => length),
    isUnsteady: true,
    ...(unstableIds(window).length === 0 ? { isEachId: true } : {}),
  })
  const grounds = { judged: looks.slice(1), control: looks[0] }
  return problemUnless(restless.length === 0, finding, grounds)
}

/** An id that is made anew for each file differs in all rows, and no clause compares it. */
const fewOf = (rows: number) => Math.ceil(rows / 10)

const unstableIds = ({ rows, columns }: Window): number[] =>
  otherColumns(rows, columns).filter((column) => rows.every((row) => isUuid(row[column] ?? '')))

function problemsOfUnstableIds({ window, looks }: Repeated): Problem[] {
  const { rows, columns, header } = window
  for (const look of looks) {
    const pairs = columns
      .map((key) => sharedBy(key, rows, look))
      .reduce((most, some) => (some.length > most.length ? some : most), [])
    for (const column of unstableIds(window)) {
      const apart = pairs.filter(([one, other]) => one[column] !== other[column])
      const [[one, other] = []] = apart
      if (apart.length === 0 || apart.length > fewOf(rows.length)) continue
      const rowOfEvent = multisetOf([one ?? []], columns)
      const [event] = idsOfChanged(rowOfEvent, multisetOf(look, columns))
      const finding = cellFinding(
        {
          place: { in: 'csv' },
          column: header?.[column] ?? column + 1,
          ...(event ? { event } : {}),
          isUnsteady: true,
        },
        {
          wrong: 'value',
          wanted: one?.[column] ?? '',
          got: other?.[column] ?? '',
          like: 'in the same export before',
          count: { of: apart.length, all: rows.length },
        },
      )
      return [problem(finding, { judged: look, control: rows })]
    }
  }
  return []
}

const cameAgain = (counts: number[]): boolean =>
  counts.some((count, at) =>
    [counts.slice(0, at), counts.slice(at + 1)].every((some) => Math.max(...some) > count),
  )
