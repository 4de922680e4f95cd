import { caseOrWhy } from '../engine/clause/law.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { anew } from '../engine/origin.ts'
import { clausesOf } from '../helpers/clause.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { needDecidable, needEvents } from '../helpers/export/ask/decidable.ts'
import { fetchLargeCsv, fetchWhole, problemsOfLargeCsv } from '../helpers/export/laws/csv-limit.ts'
import { problemsOfEventsShown, problemsOfFile } from '../helpers/export/laws/file.ts'
import {
  askForms,
  broadestFilter,
  describeFailing,
  describeLimited,
  fetchFailing,
  fetchFiltered,
  fetchGiven,
  fetchHalf,
  fetchOver,
  needEntriesAsRows,
  needRowsAsEvents,
  needSameCount,
  problemsOfFailing,
  problemsOfLimited,
} from '../helpers/export/laws/pdf-entries.ts'
import { byTwin, fetchAsked } from '../helpers/export/laws/predict.ts'
import { findMostBelow } from '../helpers/export/learn/around-limit.ts'
import { spanOf } from '../helpers/export/learn/window.ts'
import { premise } from '../helpers/service/answers.ts'

const clause = clausesOf({ section: 'Limits', operation: 'export' })

const reading =
  'a row of the CSV is an event where each has an id of its own, else where the PDF has one entry for each row'

clause('export.pdf-limit.at', {
  must: 'respond 200 with a PDF that opens when the export has 5,000 events',
  reading,
  law: problemsOfLimited,
  of: describeLimited,
})(
  ['random', 'exports', 'window', 'aroundLimit'],
  async ({ random, exports, window, aroundLimit }) => {
    const one = await fetchGiven(exports, window, aroundLimit.at, random)
    await needEntriesAsRows(exports, window)
    return [one]
  },
)

clause('export.pdf-limit.under', {
  must: 'return a PDF of all events, or of 5,000 events if there are more',
  reading,
  law: problemsOfLimited,
  of: describeLimited,
})(['random', 'exports', 'pdfLimit', 'window'], async ({ random, exports, pdfLimit, window }) => {
  await needEntriesAsRows(exports, window)
  const most = await findMostBelow(exports, window, pdfLimit)
  return [await fetchGiven(exports, window, most, random)]
})

clause('export.pdf-limit.complete', {
  should: 'include all events in a PDF of 5,000 events',
  law: problemsOfFile(problemsOfEventsShown),
  of: ([{ expected }]) => `a PDF of ${expected.all.length} events`,
})(
  ['exports', 'window', 'aroundLimit', 'pdfIdentity'],
  async ({ exports, window, aroundLimit, pdfIdentity: identity }) => {
    await needEntriesAsRows(exports, window)
    const { at } = aroundLimit
    needEvents(at)
    const request = { values: [], fileType: 'pdf', bounds: at } as const
    const one = await fetchAsked({ exports, window, identity }, request, byTwin)
    const ifStill = () => needSameCount(exports, window, at).then(() => ({ ...one }))
    return [anew(one, ifStill)]
  },
)

clause('export.pdf-limit.over', {
  must: 'respond 400 to a PDF export of 5,001 events',
  reading,
  law: problemsOfLimited,
  of: describeLimited,
})(['exports', 'window', 'aroundLimit'], async ({ exports, window, aroundLimit }) => [
  await fetchOver(exports, window, aroundLimit),
])

clause('export.pdf-limit.over.forms', {
  must: 'respond 400 to a PDF export of more than 5,000 events with any filters, range, time zone and language',
  reading,
  law: problemsOfLimited,
  of: describeLimited,
})(
  ['exports', 'pdfLimit', 'window', 'aroundLimit', 'filters'],
  async function* ({ exports, pdfLimit, window, aroundLimit, filters }) {
    await needRowsAsEvents(exports, window)
    const { answer } = await exports.pdf(spanOf(aroundLimit.over))
    needDecidable(answer)
    const owners = ['export.pdf-limit.over', 'export.pdf-limit.over.status'] as const
    premise(answer.status === statuses.invalidExport, 'clause', describeAnswer(answer), ...owners)
    yield* askForms(filters, window, aroundLimit, pdfLimit)
  },
)

clause('export.pdf-limit.over.status', {
  should: 'respond to a PDF export of 5,001 events with a status other than 500',
  law: problemsOfFailing,
  of: ([one]) => describeFailing(one),
})(['exports', 'window', 'aroundLimit'], async ({ exports, window, aroundLimit }) => {
  await needRowsAsEvents(exports, window)
  return [await fetchFailing(exports, aroundLimit)]
})

clause('export.pdf-limit.narrowed', {
  must: 'return the PDF once a request over the limit has been narrowed to fewer events',
  law: problemsOfLimited,
  of: describeLimited,
})(['random', 'exports', 'aroundLimit'], async function* ({ random, exports, aroundLimit }) {
  yield await fetchHalf(exports, aroundLimit)
  yield* await fetchFiltered(exports, aroundLimit, random)
})

clause('export.pdf-limit.csv-free', {
  should: 'return more than 5,000 events in a CSV',
  law: problemsOfLargeCsv,
  of: ([{ limit }]) => `a CSV of more than ${limit} events`,
})(
  ['random', 'exports', 'pdfLimit', 'window', 'filters'],
  async function* ({ random, exports, pdfLimit: limit, window, filters }) {
    yield await fetchLargeCsv(exports, { window, limit, random })
    const filter = (await broadestFilter(filters))?.query
    if (filter) yield caseOrWhy(fetchWhole(exports, { window, limit }, filter))
  },
)
