import { expect, expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import type { Downloaded } from '../engine/http/client.ts'
import { beside } from '../engine/origin.ts'
import { Trouble } from '../engine/outcome.ts'
import type { Faker } from '../engine/random.ts'
import { clausesOf } from '../helpers/clause.ts'
import { needDecidable, needEvents } from '../helpers/export/ask/decidable.ts'
import type { Exports } from '../helpers/export/ask/exports.ts'
import { problemOfFlaw } from '../helpers/export/ask/pdf-export.ts'
import {
  needEntriesAsRows,
  needRowsAsEvents,
  problemsOfEntries,
} from '../helpers/export/laws/pdf-entries.ts'
import {
  broadestFilter,
  describeCount,
  fetchFailureOver,
  formsOver,
  isRefusedForSize,
  needLongRange,
  needSameCount,
  needShortRefused,
  problemsOfCutCsv,
  problemsOfFilteredOverLimit,
  problemsOfOver,
  rangeOf,
  readGiven,
} from '../helpers/export/laws/pdf-limit.ts'
import { findMostBelow, type Stretch } from '../helpers/export/learn/around-limit.ts'
import { unlessUndecided } from '../helpers/export/learn/ranges.ts'
import { eventRows, type Window } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

const clause = clausesOf({ section: 'Limits', operation: 'export' })

const reading =
  'a row of the CSV is an event where each has an id of its own, else where the PDF has one entry for each row'

clause('export.pdf-limit.at', {
  must: 'answer 200 with a PDF that opens to 5,000 events',
  reading,
})(async ({ exports, window, pdfLimit, aroundLimit, random, note }) => {
  const { at } = aroundLimit
  needEvents(at)
  await readGiven(exports, at)
  await needEntriesAsRows(exports, window)
  note(describeCount(at, pdfLimit))
  const { answer, read } = await exports.pdf(rangeOf(at))
  needDecidable(answer)
  await expectGiven(answer, at, { exports, window, random })
  const { flaws } = await read({ text: false })
  expect(flaws.map((flaw) => problemOfFlaw(answer, flaw, answer))).toBeNone()
})

clause('export.pdf-limit.under', {
  must: 'give a PDF of all events, or of 5,000 where there are more',
  reading,
})(async ({ exports, window, pdfLimit, random, note }) => {
  await needEntriesAsRows(exports, window)
  const most = await findMostBelow(exports, window, pdfLimit)
  needEvents(most)
  const { answer } = await exports.pdf(rangeOf(most))
  needDecidable(answer)
  await expectGiven(answer, most, { exports, window, random })
  note(`${describeAnswer(answer)} to ${most.count} events`)
})

clause('export.pdf-limit.complete', {
  should: 'give all 5,000 events in the PDF',
})(async ({ exports, window, pdfIdentity, pdfLimit, aroundLimit, note }) => {
  await needEntriesAsRows(exports, window)
  const { at } = aroundLimit
  needEvents(at)
  note(describeCount(at, pdfLimit))
  const missing = async () => {
    const rows = eventRows(window, (await exports.csvFile(rangeOf(at))).records)
    const pdf = await exports.pdfFile(rangeOf(at))
    return problemsOfEntries(pdf, rows, pdfIdentity)
  }
  const problems = await missing()
  if (problems.length > 0) await needSameCount(exports, window, at)
  expect(problems).toBeNone()
})

clause('export.pdf-limit.over', {
  must: 'answer 400 to a PDF of 5,001 events',
  reading,
})(async ({ exports, window, pdfLimit, aroundLimit, note }) => {
  const { over } = aroundLimit
  await readGiven(exports, over)
  const failure = await fetchFailureOver(exports, aroundLimit)
  if (failure) throw new Trouble(`${failure.sentence}; their number may not be the reason`)
  const { answer } = await exports.pdf(rangeOf(over))
  needDecidable(answer)
  // A service that refuses this PDF and none smaller has counted its events.
  if (!(await isRefusedForSize(exports, aroundLimit))) await needRowsAsEvents(exports, window)
  note(describeCount(over, pdfLimit + 1))
  if (answer.status === 400) return
  await needSameCount(exports, window, over)
  const { answer: control } = await exports.pdf(rangeOf(aroundLimit.at))
  expectThat(false, `${describeAnswer(answer)}, not 400, to ${over.count} events`, {
    expected: '400',
    got: String(answer.status),
    judged: beside(answer, { control, differs: ['number of events'] }),
  })
})

clause('export.pdf-limit.over.forms', {
  must: 'answer 400 to a PDF of more than 5,000 events in whatever form they are asked for',
  reading,
})(async ({ exports, filters, window, pdfLimit, aroundLimit, each }) => {
  await needRowsAsEvents(exports, window)
  const { answer } = await exports.pdf(rangeOf(aroundLimit.over))
  needDecidable(answer)
  premise(
    answer.status === 400,
    'clause',
    describeAnswer(answer),
    'export.pdf-limit.over',
    'export.pdf-limit.over.status',
  )
  const forms = await formsOver(filters, window, aroundLimit)
  await each(forms, (form) => problemsOfOver(form, filters, window, pdfLimit), {
    of: (all) => `400 with ${all.map(({ described }) => described).join(', ')}`,
  })
})

clause('export.pdf-limit.over.status', {
  should: 'not answer 500, nor leave unanswered, a PDF of 5,001 events: 400 is stated',
})(async ({ exports, window, aroundLimit, note }) => {
  await needRowsAsEvents(exports, window)
  needEvents(aroundLimit.at)
  const failure = await fetchFailureOver(exports, aroundLimit)
  expect(failure === undefined ? [] : [failure]).toBeNone()
  const { answer } = await exports.pdf(rangeOf(aroundLimit.over))
  needDecidable(answer)
  note(`${answer.status} to ${aroundLimit.over.count} events`)
})

clause('export.pdf-limit.narrowed', {
  must: 'give the PDF of a request over the limit once it is narrowed',
})(async ({ exports, aroundLimit, random, note }) => {
  const { over, half } = aroundLimit
  const refused = await exports.pdf(rangeOf(over))
  needDecidable(refused.answer)
  premise(
    refused.answer.status === 400,
    'clause',
    describeAnswer(refused.answer),
    'export.pdf-limit.over',
  )
  needEvents(half)
  const { answer } = await exports.pdf(rangeOf(half))
  needDecidable(answer)
  if (answer.status === 400) await needShortRefused(exports, half, answer)
  expect(answer).toBeAccepted({ control: refused.answer })
  expect(await problemsOfFilteredOverLimit(exports, aroundLimit, random)).toBeNone()
  note(`400 to ${over.count} events, ${answer.status} to ${half.count} of them`)
})

clause('export.pdf-limit.csv-free', {
  should: 'give more than 5,000 events in a CSV',
})(async ({ exports, filters, window, pdfLimit, note }) => {
  expect(await problemsOfCutCsv(exports, window, pdfLimit)).toBeNone()
  const filter = (await broadestFilter(filters))?.query
  const ofFilter = filter && problemsOfCutCsv(exports, window, pdfLimit, filter)
  expect((await ofFilter?.catch(unlessUndecided)) ?? []).toBeNone()
  note(`a CSV of more than ${pdfLimit} events`)
})

/** Expects the PDF of a range, if neither the range's length nor another count of its events explains a refusal. */
async function expectGiven(
  answer: Downloaded,
  stretch: Stretch,
  { exports, window, random }: { exports: Exports; window: Window; random: Faker },
): Promise<void> {
  if (answer.status === 200) return
  await needSameCount(exports, window, stretch)
  const control = await needLongRange(exports, stretch, answer, random)
  expectThat(false, `${describeAnswer(answer)}, not 200, to ${stretch.count} events`, {
    expected: '200',
    judged: answer,
    control,
  })
}
