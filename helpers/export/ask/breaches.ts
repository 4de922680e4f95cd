import { contentOf, mayBeCsv } from '../../../engine/files/content.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import { instantAt } from '../../../engine/files/dates.ts'
import { isSameRecord } from '../../../engine/files/line-frame.ts'
import { isTitles } from '../../../engine/files/sure-columns.ts'
import { malformedFinding } from '../../../engine/findings/malformed.ts'
import { statusFinding } from '../../../engine/findings/status.ts'
import { twinsFinding } from '../../../engine/findings/twins.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Origin } from '../../../engine/origin.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { arrayParameters, defaultLanguage, isFileType } from '../../contract/parameters.ts'
import { statuses } from '../../contract/statuses.ts'
import { isDatetime, isTimeZone } from '../../contract/times.ts'
import { type Owned, problemOwnedBy } from '../../service/judge.ts'
import type { Delivered } from './file-place.ts'
import type { Query } from './query.ts'

/** Whether the contract states 200: lists in a known encoding, and the default language. */
export function isDescribed(query: Query, isSettled: boolean): boolean {
  const { start, end, fileType, locale, timezone, more, filters = {} } = query
  if (more !== undefined || ![undefined, defaultLanguage].includes(locale)) return false
  if (fileType != null && !isFileType(fileType)) return false
  if (!isSettled && arrayParameters.some((name) => (filters[name] ?? []).length > 0)) return false
  if (arrayParameters.some((name) => (filters[name] ?? []).length > 1)) return false
  if ([start, end].some((bound) => bound !== undefined && !isDatetime(bound))) return false
  if (start !== undefined && end !== undefined && instantAt(start) > instantAt(end)) return false
  return timezone === undefined || isTimeZone(timezone)
}

export const statusOwner = ({ fileType }: Query): string =>
  fileType === 'pdf' ? 'export.pdf.status' : 'export.csv.status'

/** For an accepted answer that is not 200, or that names an address without a file. */
export function problemsOfDelivery(query: Query, { answer, answers, lost }: Delivered<unknown>) {
  const owner = statusOwner(query)
  if (isAccepted(answer) && answer.status !== statuses.exported) {
    const finding = statusFinding(answer, statuses.exported, { to: 'to a request for a file' })
    return [problemOwnedBy(owner, finding, { judged: answer })]
  }
  if (lost === undefined) return []
  return [problemOwnedBy(owner, lost, { judged: answers })]
}

/** No program reads a file in two encodings. */
export function problemsOfCsv(query: Query, delivered: Delivered<{ csv?: CsvReading }>): Owned[] {
  const wrong = problemsOfDelivery(query, delivered)
  const { answer, answers: judged, result: { csv } = {} } = delivered
  if (wrong.length > 0 || !csv) return wrong
  if (!mayBeCsv(csv.beginning))
    return [{ owner: 'export.csv.readable', ...problemOfContent(answer, csv.beginning, judged) }]
  if (!csv.isMixed) return []
  const finding = malformedFinding({ is: 'two encodings' }, { of: answer })
  return [problemOwnedBy('export.csv.well-formed', finding, { judged })]
}

export function createTitles() {
  const seen = { titles: undefined as string[] | undefined, again: 0, areCells: false }
  return {
    seen,
    hear(record: string[]): void {
      const { titles } = seen
      if (!titles) seen.titles = areWords(record) ? record : undefined
      else if (isSameRecord(record, titles)) seen.again += 1
      // A file without titles may begin with an event that looks like them: other events share its cells.
      else seen.areCells ||= record.some((cell, at) => cell === titles[at])
    },
  }
}

const areWords = (record: readonly string[]) =>
  record.length > 2 && isTitles(record) && record.every((cell) => /^\D*\p{L}\D*$/u.test(cell))

/** A CSV names its columns twice, or otherwise than an earlier one of its language and filters. */
export function problemsOfTitles(
  { titles, again, areCells }: ReturnType<typeof createTitles>['seen'],
  known: Map<string, string[]>,
  { locale = defaultLanguage, more, filters = {}, metadata = {} }: Query,
  judged: Origin,
): Owned[] {
  // A list in an unknown form may be ignored.
  const isSure = more === undefined && Object.keys(filters).length === 0
  if (!titles || areCells || !isSure) return []
  const options = [locale, ...Object.keys(metadata)].join(' ')
  const before = known.get(options) ?? titles
  known.set(options, before)
  const shared = titles.filter((title) => before.includes(title))
  const others = before.filter((title) => titles.includes(title))
  const isInPlace = shared.every((title) => titles.indexOf(title) === before.indexOf(title))
  // A file may omit one column for another, but not rename several in their places.
  const renamed = isInPlace && titles.length === before.length ? titles.length - shared.length : 0
  if (again === 0 && renamed < 2 && isSameRecord(shared, others)) return []
  const finding =
    again > 0
      ? malformedFinding({ is: 'two header rows', rows: again + 1 })
      : twinsFinding({
          things: 'header rows',
          wanted: 'alike',
          one: { name: `a CSV with locale=${locale}`, has: titles },
          other: { name: 'an earlier CSV', has: before },
        })
  return [problemOwnedBy('export.csv.titles', finding, { judged })]
}

export function problemOfContent(answer: Downloaded, beginning: string, judged: Origin): Problem {
  const flaw = { is: 'not delimited text', got: contentOf(beginning) } as const
  return problem(malformedFinding(flaw, { of: answer }), { judged })
}
