import { caseOrWhy, type Some } from '../engine/clause/law.ts'
import { counted } from '../engine/counted.ts'
import { contentOf } from '../engine/files/content.ts'
import type { CsvReading } from '../engine/files/csv.ts'
import { problemsOfWidths } from '../engine/files/line-frame.ts'
import { rowsFinding } from '../engine/findings/file-rows.ts'
import { malformedFinding } from '../engine/findings/malformed.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import { type Answered, problemsOfStatus } from '../engine/http/status-problems.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../engine/problem.ts'
import { clauseOfFiles as clause } from '../helpers/clause.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { fetchEventWaitMs } from '../helpers/event-wait.ts'
import { createTitles, problemOfContent, problemsOfTitles } from '../helpers/export/ask/breaches.ts'
import { needDecidable } from '../helpers/export/ask/decidable.ts'
import { type CsvExport, type Exports, needReachable } from '../helpers/export/ask/exports.ts'
import { recentHour } from '../helpers/export/ask/query.ts'
import {
  askComments,
  describeComments,
  problemsOfComments,
} from '../helpers/export/laws/comments.ts'
import { type Asked, problemsOfEventsShown, problemsOfFile } from '../helpers/export/laws/file.ts'
import { askCells, problemsOfCells } from '../helpers/export/laws/marks.ts'
import {
  askPdfWithoutRange,
  everything,
  heldPairs,
  pairsWithoutRange,
} from '../helpers/export/laws/range-pairs.ts'
import {
  askRepeated,
  askTitleRows,
  askTwins,
  problemsOfRepeated,
  problemsOfTitleRow,
  problemsOfTwins,
  type Titled,
  type Twins,
} from '../helpers/export/laws/same-file.ts'
import { type Held, problemsOfHeld } from '../helpers/export/learn/confirmed.ts'
import {
  findFile,
  findOwnEvents,
  firstRecords,
  hasByte,
  type KnownFile,
  type OwnEvents,
  whyEventsAreKnown,
} from '../helpers/export/learn/known-events.ts'
import { noEvents } from '../helpers/export/learn/spans.ts'
import { fetchEmpty, spanOf } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

const reading = 'the content of the response is the file itself, without JSON around it'

clause('export.csv.status', {
  must: 'respond 200 with a file to a CSV export',
  reading,
  // The owner of a lost file: other clauses hand theirs to it.
  law: problemsOfGiven,
  of: ([recent, { found } = recent]) =>
    `${describeAnswer(found.answer)} with ${found.csv?.bytes} bytes`,
})(
  ['session', 'settings', 'exports', 'sample', 'sequence'],
  async function* ({ session, settings, exports, sample, sequence }) {
    const recent = await exports.csv(recentHour(exports), { read: 20 })
    needDecidable(recent.answer)
    yield { found: recent }
    needReachable(recent)
    const { stop, waits } = session
    const own = { sequence, waitS: settings.auditWaitS, stop, waiting: waits.events }
    const known = await findFile(exports, sample, own)
    needReachable(known.found)
    const none = `${describeAnswer(known.found.answer)}, and no event is known; a file without events may be empty`
    premise(hasByte(known.found) || known.why !== undefined, 'data', none)
    yield known
  },
)

function problemsOfGiven({ found, why }: KnownFile) {
  const context = { of: found.answer, although: why?.why }
  const finding = malformedFinding({ is: 'empty' }, context)
  return [
    ...problemsOfStatus(found.answer, statuses.exported),
    ...problemUnless(!why || hasByte(found), finding, { judged: found, control: why?.shownBy }),
  ]
}

clause('export.csv.readable', {
  must: 'return a CSV as delimited text, with rows if there are events',
  reading,
  law: problemsOfRows,
  of: ([{ found }]) => `${counted(found.csv?.count ?? 0, 'record')} of delimited text`,
})(
  ['session', 'settings', 'exports', 'sample', 'sequence'],
  async function* ({ session, settings, exports, sample, sequence }) {
    const { stop, waits } = session
    const own = { sequence, waitS: settings.auditWaitS, stop, waiting: waits.events }
    const { found } = await findFile(exports, sample, own)
    needDecidable(found.answer)
    needReachable(found)
    premise(hasByte(found), 'clause', describeAnswer(found.answer), 'export.csv.status')
    yield { found }
    const known = sample.window ? undefined : await fetchFileWithRows(exports, found, own)
    if (known) yield known
  },
)

/** A file without rows that must have some; none if the file may have rows. */
async function fetchFileWithRows(
  exports: Exports,
  found: CsvExport,
  own: OwnEvents,
): Promise<KnownFile | undefined> {
  const { answer, csv } = found
  const none = (await fetchEmpty(exports))?.count
  const count = csv?.count ?? 0
  if (none !== undefined && count > none) return undefined
  const since = none === undefined ? undefined : await findOwnEvents(exports, own)
  // What a PDF shows of everything says nothing about the CSV of an hour.
  const isOfEverything = found.query === exports.text({})
  const why = isOfEverything ? await whyEventsAreKnown(exports) : undefined
  if (why) return { found, why }
  const unclear = `${describeAnswer(answer)} with ${counted(count, 'record')}: the file may contain no event, and at least one event is needed to judge it; set EXPORT_FROM and EXPORT_TO to a range with events`
  if (!since) throw new NotDecidable('data', unclear)
  return since
}

function problemsOfRows({ found, why }: KnownFile) {
  const { answer, csv: { beginning = '', count = 0 } = {} } = found
  if (contentOf(beginning) !== 'text') return [problemOfContent(answer, beginning, found)]
  if (!why) return []
  const finding = rowsFinding({
    wrong: 'number',
    place: { in: 'csv' },
    wanted: { least: 1 },
    got: 0,
    to: `in ${counted(count, 'record')}`,
    although: why.why,
  })
  return [problem(finding, { judged: found, control: why.shownBy })]
}

clause('export.csv.well-formed', {
  should:
    'write CSV rows with the same number of cells, in one encoding, and quote cells with quotes, delimiters or line breaks',
  law: problemsOfForm,
  of: ([{ csv, width }]) => `${counted(csv.count, 'record')} of ${width} cells, in ${csv.encoding}`,
})(['exports', 'window'], async ({ exports, window }) => [
  { csv: await exports.csvFile(spanOf(window)), width: window.rows[0]?.length ?? 0 },
])

function problemsOfForm({ csv, width }: { csv: CsvReading; width: number }) {
  // The owner of mixed encodings: other clauses hand their files to it.
  return [
    ...csv.flaws.map((flaw) => problem(malformedFinding(flaw), { judged: csv })),
    ...problemsOfWidths(csv.records, width),
  ]
}

clause('export.csv.titles', {
  should:
    'write column headers once in each CSV, in the same words and order for the same locale and metadata keys',
  reading: 'a program that reads one file can read every file',
  since: '0.2',
  law: (one: Titled | { file: CsvReading }) =>
    'plain' in one ? problemsOfTitleRow(one) : problemsOfRepeatedTitles(one.file),
  of: () => 'column headers as in every other CSV of the run',
})(['exports', 'window', 'ranges'], async function* ({ exports, window, ranges }) {
  yield* askTitleRows(ranges)
  const none = 'the CSV has no column headers; the contract does not specify its fields'
  premise(window.header !== undefined, 'freedom', none)
  yield { file: await exports.csvFile(spanOf(window)) }
})

function problemsOfRepeatedTitles(file: CsvReading): Problem[] {
  const titles = createTitles()
  file.records.forEach(titles.hear)
  return problemsOfTitles(titles.seen, new Map(), {}, file).map(({ owner: _, ...each }) => each)
}

clause('export.cells-are-values.csv', {
  should: 'write values in CSV cells, never failure markers such as NaN, undefined or Invalid Date',
  reading: 'comments and values of metadata may hold any text',
  law: problemsOfCells,
  of: ([{ rows }]) => `the cells of ${counted(rows.length, 'row')}`,
})(['ranges'], ({ ranges }) => askCells(ranges))

const sameEvents = (more: string) => (all: Some<Twins>) =>
  `the same ${counted(all[0].window.rows.length, 'event')} with ${more} and without it`

clause('export.default-csv', {
  must: 'return the same CSV without file_type as with file_type=csv',
  law: problemsOfTwins,
  of: sameEvents('file_type=csv'),
})(['exports', 'window'], async function* ({ exports, window }) {
  const named = { ...spanOf(window), fileType: 'csv' }
  yield askTwins(exports, window, { ...named, fileType: null }, named)
  // Other parameters must not choose the format.
  const shown = { ...named, timezone: 'Asia/Tokyo', locale: 'en' }
  if (isAccepted((await exports.csv(shown)).answer))
    yield askTwins(exports, window, { ...shown, fileType: null }, shown)
})

clause('export.default-locale', {
  must: 'return the same CSV without locale as with locale=en',
  law: problemsOfTwins,
  of: sameEvents('locale=en'),
})(['exports', 'window'], async ({ exports, window }) => {
  const span = spanOf(window)
  return [await askTwins(exports, window, { ...span, locale: 'en' }, span)]
})

clause('export.no-filter', {
  must: 'accept an export without any parameters',
  law: ({ answer, control }: { answer: Answered; control?: Answered }) =>
    problemsOfStatus(answer, '2xx', { control }),
  of: ([{ answer }]) => describeAnswer(answer),
})(['exports'], async ({ exports }) => {
  const { answer } = await exports.csv(...everything)
  needDecidable(answer)
  if (isAccepted(answer)) return [{ answer }]
  // A window with the same events: if it is rejected too, their number is the reason.
  const { answer: control } = await exports.csv({ start: noEvents.start }, firstRecords)
  const open = `${describeAnswer(answer)}, as all events with range_start; the contract does not specify the maximum size of a CSV`
  premise(isAccepted(control), 'freedom', open)
  return [{ answer, control }]
})

clause('export.no-filter.rows', {
  should: 'include all events when no range is given',
  reading: 'a range has no default: none is shown, as one of file_type is',
  law: (one: Held | Asked) =>
    'request' in one ? problemsOfFile(problemsOfEventsShown)(one) : problemsOfHeld(one),
  of: 'exports, with at least as many events as from 1971 into the future',
})(['window', 'filters', 'updatesOver'], async function* ({ window, filters, updatesOver }) {
  // An event between two exports would hide an event that the first lacks.
  await updatesOver()
  yield* heldPairs(filters.exports, window, await pairsWithoutRange(filters))
  yield caseOrWhy(askPdfWithoutRange(filters))
})

clause('export.deterministic', {
  should: 'return the same rows for the same past range each time',
  law: problemsOfRepeated,
  of: ([{ window }]) => `${counted(window.rows.length, 'row')}, the same in three responses`,
})(['exports', 'window'], async ({ exports, window }) => [await askRepeated(exports, window)])

clause('export.text-intact', {
  should:
    'return comments unchanged in a CSV, including non-Latin text, emoji, quotes and line breaks',
  law: problemsOfComments,
  of: describeComments,
})(['session', 'exports', 'sequence'], async function* ({ session, exports, sequence }) {
  const eventWaitMs = await fetchEventWaitMs(session)
  const { stop, waits } = session
  const times = { eventWaitMs, waitMs: eventWaitMs, stop, waiting: waits.events }
  yield* askComments(exports, sequence, times)
})
