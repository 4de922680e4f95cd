// What an accepted answer to an export breaks, and which clause owns it (rule R9).

import { contentOf, mayBeCsv } from '../../../engine/files/content.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import { instantAt } from '../../../engine/files/dates.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Origin } from '../../../engine/origin.ts'
import { type Again, type Problem, problem } from '../../../engine/problem.ts'
import type { Owned } from '../../service/judge.ts'
import { parameters, type Query } from './query.ts'

/** Why no script shows what the cells of a CSV hold. */
export const cellsToRead = { why: 'the cells of a CSV have to be read' }

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** There is no 30 February, which Date takes for 2 March. */
function isDatetime(text: string): boolean {
  const time = utc.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 19) === text.slice(0, 19)
}

/**
 * Whether the contract says that such a request is answered 200 with a file: values of the array
 * parameters only where it is known how they are written, and no language but the default.
 */
export function isDescribed(query: Query, isSettled: boolean): boolean {
  const { start, end, fileType, locale = 'en', timezone, more, filters = {} } = query
  if (more !== undefined || locale !== 'en') return false
  if (![undefined, null, 'csv', 'pdf'].includes(fileType)) return false
  if (!isSettled && parameters.some((name) => (filters[name] ?? []).length > 0)) return false
  if (parameters.some((name) => (filters[name] ?? []).length > 1)) return false
  if ([start, end].some((bound) => bound !== undefined && !isDatetime(bound))) return false
  if (start !== undefined && end !== undefined && instantAt(start) > instantAt(end)) return false
  return timezone === undefined || isZone(timezone)
}

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The clause that judges whether an export of this kind is answered 200 with a file. */
export const statusOwner = ({ fileType }: Query): string =>
  fileType === 'pdf' ? 'export.pdf.status' : 'export.csv.status'

/** That an accepted answer has another status than the one that is stated. */
export function problemsOfStatus(query: Query, answer: Downloaded): Owned[] {
  if (!isAccepted(answer) || answer.status === 200) return []
  const sentence = `${describeAnswer(answer)}, not 200 with a file`
  const seen = { expected: '200', got: String(answer.status), judged: answer }
  return [{ owner: statusOwner(query), ...problem(sentence, seen) }]
}

/** That the content of an answer is something else than delimited text. */
export function problemsOfContent(
  answer: Downloaded,
  { beginning }: CsvReading,
  judged: Origin = answer,
): Owned[] {
  if (mayBeCsv(beginning)) return []
  return [{ owner: 'export.csv.readable', ...problemOfContent(answer, beginning, judged) }]
}

/** That letters of two encodings stand in one file: no program reads both. */
export function problemsOfLetters(
  answer: Downloaded,
  { isMixed }: CsvReading,
  judged: Origin = answer,
): Owned[] {
  const sentence = `${describeAnswer(answer)} with letters of one byte among those of UTF-8`
  const seen = { expected: 'one encoding', got: 'two encodings', judged, again: cellsToRead }
  return isMixed ? [{ owner: 'export.csv.one-encoding', ...problem(sentence, seen) }] : []
}

/** That a file begins as something else than delimited text does. */
export function problemOfContent(answer: Downloaded, beginning: string, judged: Origin): Problem {
  const got = contentOf(beginning)
  const sentence = `${describeAnswer(answer)}: byte 0 begins ${got}, not delimited text`
  return problem(sentence, {
    expected: 'delimited text',
    got,
    judged,
    again: delimited,
  })
}

const delimited: Again = { signs: [{ file: 'delimited' }] }

/** That there is no file at the address that an answer gives. */
export const problemOfPlace = (lost: string, judged: Origin): Problem =>
  problem(lost, {
    expected: 'a file at that address',
    got: 'none',
    judged,
    again: {
      why: 'the file is at another address than the request, which is another one each time',
    },
  })

/** That a file has no byte. */
export const problemOfNoByte = (answer: Downloaded, judged: Origin): Problem =>
  problem(`${describeAnswer(answer)} without a byte`, {
    expected: 'a file',
    got: '0 bytes',
    judged,
    again: { signs: [{ file: 'some' }] },
  })
