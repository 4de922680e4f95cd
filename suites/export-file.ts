import { expect, expectThat } from '../engine/clause/matchers.ts'
import { contentOf } from '../engine/files/content.ts'
import { problemsOfWidths } from '../engine/files/line-frame.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import { problem } from '../engine/problem.ts'
import { clausesOf } from '../helpers/clause.ts'
import { fetchEventWaitMs } from '../helpers/event-wait.ts'
import { cellsToRead, problemOfContent } from '../helpers/export/ask/breaches.ts'
import { needDecidable } from '../helpers/export/ask/decidable.ts'
import { needCsv, needReachable } from '../helpers/export/ask/exports.ts'
import { problemsOfComments } from '../helpers/export/laws/comments.ts'
import { problemsOfMarks } from '../helpers/export/laws/marks.ts'
import {
  everything,
  pairsWithoutRange,
  problemsOfPairs,
} from '../helpers/export/laws/range-pairs.ts'
import { problemsOfNoRangePdf } from '../helpers/export/laws/ranges.ts'
import {
  problemsOfDifference,
  problemsOfHeaderRow,
  problemsOfUnstableRows,
} from '../helpers/export/laws/same-file.ts'
import { problemsOfUnstableIds } from '../helpers/export/laws/unstable-ids.ts'
import { fetchEmpty } from '../helpers/export/learn/find-window.ts'
import {
  findFile,
  findOwnEvents,
  firstRecords,
  whyEventsAreKnown,
} from '../helpers/export/learn/known-events.ts'
import { unlessUndecided } from '../helpers/export/learn/ranges.ts'
import { noEvents, recentHour } from '../helpers/export/learn/spans.ts'
import { spanOf } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

const clause = clausesOf({ section: 'Export audit events', operation: 'export' })
const reading = 'the content of the answer is the file itself, without JSON around it'

clause('export.csv.status', {
  must: 'answer 200 with a file to a CSV export',
  reading,
})(async ({ exports, sample, sequence, session, settings, note }) => {
  const recent = await exports.csv(recentHour(exports), { read: 20 })
  needDecidable(recent.answer)
  // A lost file is handed to this clause, as of every CSV of the run.
  expect(recent.answer).toHaveStatus(200)
  needReachable(recent)
  const own = { sequence, waitS: settings.auditWaitS, stop: session.stop }
  const { found, why } = await findFile(exports, sample, own)
  needReachable(found)
  if (found.csv && found.csv.bytes > 0) {
    note(`${describeAnswer(found.answer)} with ${found.csv.bytes} bytes`)
    return
  }
  const told = describeAnswer(found.answer)
  premise(
    why !== undefined,
    'data',
    `${told}, and no event is known; a file without events may be empty`,
  )
  expectThat(false, `${told} without a byte, and ${why?.why}`, {
    expected: 'a file',
    got: '0 bytes',
    judged: found,
    again: { signs: [{ file: 'some' }] },
    control: why?.shownBy,
  })
})

clause('export.csv.readable', {
  must: 'give a CSV as delimited text, with rows where there are events',
  reading,
})(async ({ exports, sample, sequence, session, settings, note }) => {
  const own = { sequence, waitS: settings.auditWaitS, stop: session.stop }
  const { found } = await findFile(exports, sample, own)
  const { answer, csv } = found
  needDecidable(answer)
  needReachable(found)
  premise(csv !== undefined && csv.bytes > 0, 'clause', describeAnswer(answer), 'export.csv.status')
  const { beginning = '', count = 0 } = csv ?? {}
  const isText = contentOf(beginning) === 'text'
  expect(isText ? [] : [problemOfContent(answer, beginning, found)]).toBeNone()
  note(`${count} records of delimited text`)
  if (sample.window) return
  const none = (await fetchEmpty(exports))?.count
  if (none !== undefined && count > none) return
  const since = none === undefined ? undefined : await findOwnEvents(exports, own)
  const why = (await whyEventsAreKnown(exports)) ?? since?.why
  if (since && !since.why && !why) return
  const unclear = `${describeAnswer(answer)} with ${count} records: perhaps it holds no event, and one is needed to judge the file`
  premise(why !== undefined, 'data', unclear)
  expectThat(false, `${describeAnswer(answer)} with no row, and ${why?.why}`, {
    expected: 'rows of events',
    got: `${count} records, none of them an event`,
    judged: found,
    control: why?.shownBy,
  })
})

clause('export.csv.well-formed', {
  should:
    'give every row as many cells as the others, put cells with quotes, delimiters or line breaks in quotes, and write all letters in one encoding',
})(async ({ exports, window, note }) => {
  const found = await exports.csv(spanOf(window))
  const csv = needCsv(found)
  const { flaws, records } = csv
  // Letters of two encodings are handed to this clause, as of every CSV of the run.
  const seen = { expected: 'well-formed CSV', judged: csv, again: cellsToRead }
  expect(flaws.map((flaw) => problem(flaw, { ...seen, got: flaw }))).toBeNone()
  expect(problemsOfWidths(records, window.rows[0]?.length ?? 0)).toBeNone()
  note(`${window.rows.length} rows of ${window.rows[0]?.length} cells, in ${csv.encoding}`)
})

clause('export.csv.titles', {
  should:
    'name the columns of a CSV once, in the same words and order in every CSV of the same options',
  reading: 'a program that reads one file can read every file',
  since: '0.2',
})(async ({ window, note }) => {
  const { header } = window
  premise(
    header !== undefined,
    'freedom',
    'the CSV does not name its columns; its fields are not shown',
  )
  note(`${header?.length} titles, as in every other CSV of the run`)
})

clause('export.cells-are-values.csv', {
  should: 'hold values in its cells, and nothing that a failing program writes in their place',
  reading: 'comments and values of metadata may hold any text',
})(async ({ ranges, window, note }) => {
  expect(await problemsOfMarks(ranges)).toBeNone()
  note(`the cells of ${window.rows.length} rows`)
})

clause('export.default-csv', {
  must: 'give without file_type what file_type=csv gives',
})(async ({ exports, window, note }) => {
  // Other parameters must not choose the format.
  for (const beside of [{}, { timezone: 'Asia/Tokyo', locale: 'en' }]) {
    const named = { ...spanOf(window), ...beside, fileType: 'csv' }
    const plain = { ...named, fileType: null }
    const isAlone = Object.keys(beside).length === 0
    if (!isAlone && !isAccepted((await exports.csv(named)).answer)) continue
    const { answer } = await exports.csv(plain)
    needDecidable(answer)
    expect(answer).toBeAccepted()
    expect(await problemsOfDifference(exports, window, plain, named)).toBeNone()
  }
  note(`the same ${window.rows.length} events with file_type=csv and without it`)
})

clause('export.default-locale', {
  must: 'give without locale what locale=en gives',
})(async ({ exports, window, note }) => {
  const span = spanOf(window)
  const { answer } = await exports.csv({ ...span, locale: 'en' })
  needDecidable(answer)
  expect(answer).toBeAccepted()
  expect(await problemsOfDifference(exports, window, span, { ...span, locale: 'en' })).toBeNone()
  note(`the same ${window.rows.length} events with locale=en and without it`)
})

clause('export.no-filter', {
  must: 'accept a request without any parameter',
})(async ({ exports, note }) => {
  const { answer } = await exports.csv(...everything)
  needDecidable(answer)
  if (!isAccepted(answer)) {
    // A window with the same events; if it is refused, their number is the reason.
    const { answer: asked } = await exports.csv({ start: noEvents.start }, firstRecords)
    const open = `${describeAnswer(answer)}, as all events with range_start; the maximum size of a CSV is not shown`
    premise(isAccepted(asked), 'freedom', open)
  }
  expect(answer).toBeAccepted()
  note(describeAnswer(answer))
})

clause('export.no-filter.rows', {
  should: 'hold all events where no range is given',
  reading: 'a range has no default: none is shown, as one of file_type is',
})(async ({ filters, window, updatesOver, note }) => {
  // Events of this run between two exports would hide what the first one lacks.
  await updatesOver()
  const pairs = await pairsWithoutRange(filters)
  expect(await problemsOfPairs(filters.exports, window, pairs)).toBeNone()
  const ofPdf = await problemsOfNoRangePdf(filters, window).catch(unlessUndecided)
  expect(ofPdf ?? []).toBeNone()
  note('no fewer events than from 1971 until years to come')
})

clause('export.deterministic', {
  should: 'give the same rows for the same request over a closed past',
})(async ({ exports, ranges, window, note }) => {
  expect(await problemsOfUnstableIds(exports, window)).toBeNone()
  expect(await problemsOfUnstableRows(exports, window)).toBeNone()
  expect(await problemsOfHeaderRow(ranges)).toBeNone()
  note(`${window.rows.length} rows for three times`)
})

clause('export.text-intact', {
  should: 'give non-Latin text, emoji and quotes of a comment in the CSV as they were sent',
})(async ({ exports, sequence, session }) => {
  const eventWaitMs = await fetchEventWaitMs(session)
  const times = { eventWaitMs, waitMs: eventWaitMs, stop: session.stop }
  expect(await problemsOfComments(exports, sequence, times)).toBeNone()
})
