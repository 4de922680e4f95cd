// What recorded exports show beside one another: files of a time in which the trail stood still, by the laws of a run.

import { type Cases, type Law, rule } from '../../engine/clause/law.ts'
import { hourMs, instantAt } from '../../engine/files/dates.ts'
import { maxLines } from '../../engine/files/line-frame.ts'
import { grouped } from '../../engine/grouped.ts'
import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import type { Exports } from '../export/ask/exports.ts'
import { type Field, isMetadataKey, type Query } from '../export/ask/query.ts'
import { askShown, askSwapped, askValue, problemsOfExact } from '../export/laws/exact.ts'
import {
  problemsOfEventsShown,
  problemsOfFile,
  problemsOfIds,
  type Request,
} from '../export/laws/file.ts'
import { askNarrowing, problemsOfNarrowing } from '../export/laws/filters.ts'
import { askTexts, problemsOfCells, problemsOfTexts } from '../export/laws/marks.ts'
import { learnPdfIdentity, problemsOfPdf } from '../export/laws/pdf-entries.ts'
import { PDF_LIMIT } from '../export/laws/pdf-limit.ts'
import { askFiles, byPlain, byValues } from '../export/laws/predict.ts'
import { problemsOfParts, problemsOfStrays } from '../export/laws/ranges.ts'
import { askRepeated, problemsOfDifference, problemsOfRepeated } from '../export/laws/same-file.ts'
import { eventsOf } from '../export/laws/words.ts'
import { learnColumn } from '../export/learn/columns.ts'
import { datesIn } from '../export/learn/dated-rows.ts'
import type { Filters, KnownValue } from '../export/learn/filters.ts'
import { seenIn, windowOf } from '../export/learn/find-window.ts'
import type { Span } from '../export/learn/spans.ts'
import { countStrays, dateColumns, type TimeColumn } from '../export/learn/time-column.ts'
import { type Try, tryValue } from '../export/learn/tries.ts'
import { eventRows, type Window } from '../export/learn/window.ts'
import { type Findings, unlessUndecided } from './findings.ts'
import { type BodyOf, type Look, notShown, replayed, textOf } from './looks.ts'

/** More is not compared at once: each file is kept while it is. */
const mostLooks = 200
const mostBytes = 48_000_000
const mostOfOneQuery = 6
const mostEpochs = 5
const mostTried = 20

const isCsv = ({ asked, answer }: Look) => asked.fileType !== 'pdf' && isAccepted(answer)
const isPdf = ({ asked, answer }: Look) => asked.fileType === 'pdf' && isAccepted(answer)

const valuesIn = ({ filters = {}, metadata = {} }: Query): [Field, readonly string[]][] => [
  ...(Object.entries(filters) as [Field, readonly string[]][]),
  ...Object.entries(metadata).map(([key, value = '']) => [key, [value]] as [Field, string[]]),
]

const isPlain = ({ asked }: Look) =>
  valuesIn(asked).length === 0 && !asked.locale && !asked.timezone && !asked.more

const isWithin = ({ start = '', end = '' }: Query, whole: Query) =>
  Date.parse(start) >= Date.parse(whole.start ?? '') &&
  Date.parse(end) <= Date.parse(whole.end ?? '')

/** Judges the looks of each time between two equal looks at all events of a range, of one client. */
export async function judgeTogether(findings: Findings, all: readonly Look[], bodyOf: BodyOf) {
  for (const [, looks] of grouped(all, ({ recorder, who }) => who && `${recorder} ${who}`)) {
    if (looks[0]?.who === undefined) continue
    const ended = new Map<string, number>()
    const epochs: { from: number; to: number; asked: Query; last: Look }[] = []
    const places = new Map(looks.map((look, at) => [keyOf(look), at]))
    for (const [from, whole] of looks.entries()) {
      const { asked, text, start, end, count = 0 } = whole
      if (!isCsv(whole) || !isPlain(whole) || !asked.start || !asked.end || count < 3) continue
      // As the window of a run: what happened within the hour may not have reached every replica.
      if ((ended.get(text) ?? 0) > start || Date.parse(asked.end) > start - hourMs) continue
      const to = places.get(keyOf(whole)) ?? 0
      const last = looks[to]
      if (!last || last.start < end) continue
      ended.set(text, last.end)
      epochs.push({ from, to, asked, last })
    }
    const most = epochs
      .sort((a, b) => b.to - b.from - (a.to - a.from))
      .slice(0, mostTried)
      .map(({ from, to, asked: { start = '', end = '' }, last }) => ({
        span: { start, end },
        within: bounded(
          looks
            .slice(from, to + 1)
            .filter((look) => look.end <= last.end && isWithin(look.asked, { start, end })),
        ),
      }))
      .sort((a, b) => b.within.length - a.within.length)
      .slice(0, mostEpochs)
    for (const { within, span } of most)
      await judgeEpoch(findings, within, span, bodyOf).catch(unlessUndecided)
  }
}

/** Looks with the same key show as many records of the same query. */
const keyOf = ({ text, count }: Look) => `${count} ${text}`

/** As many looks as can be held, of one query the first few and the last. */
function bounded(looks: readonly Look[]): Look[] {
  const few = [...grouped(looks, ({ text }) => text).values()]
    .flatMap((same) => [
      ...same.slice(0, mostOfOneQuery - 1),
      ...same.slice(mostOfOneQuery - 1).slice(-1),
    ])
    .sort((a, b) => a.start - b.start)
  let bytes = 0
  return few.filter((look, at) => {
    bytes += look.bytes
    return at < mostLooks && bytes < mostBytes
  })
}

/** The window of an epoch: each record of its file that looks like a row is known to be an event by a date or an id. */
async function windowIn(port: Exports, { start, end }: Span, looks: readonly Look[]) {
  const none = new NotDecidable('data', notShown)
  const whole = await port.csvFile({ start, end })
  const { seen, rowsIn } = seenIn({ start, end }, whole, (table) => {
    const rows = table(whole.records)
    const isEvent = [maxLines, 3, 1]
      .map((few) => rows.slice(few, -few))
      .flatMap((some) => (some.length > 2 ? (datesIn(some) ?? []) : []))[0]
    if (!isEvent) throw none
    const before = rows.findIndex(isEvent)
    const behind = rows.length - 1 - rows.findLastIndex(isEvent)
    if (!rows.slice(before, rows.length - behind).every(isEvent)) throw none
    return { before, behind }
  })
  const text = textOf({ start, end, fileType: 'csv' })
  const part = looks.find((look) => isCsv(look) && look.count && look.text !== text)
  if (!part) throw none
  const asPart = await port.csvFile(part.asked)
  const { window, isClosed } = windowOf(
    { seen, rowsIn, part: asPart },
    await port.fresh.csvFile({ start, end }),
  )
  if (!isClosed || window.columns.length === 0) throw none
  return window
}

async function judgeEpoch(findings: Findings, looks: Look[], span: Span, bodyOf: BodyOf) {
  const { start, end } = span
  const port = replayed(looks, bodyOf)
  const window = await windowIn(port, span, looks)
  const filters = await filtersIn(port, window, looks)
  const identity = await learnPdfIdentity(port, window).catch(unlessUndecided)
  const times = dateColumns(window.rows).filter(
    (column) => column.inUtc && countStrays(column, window.rows, span) * 3 <= window.rows.length,
  )
  const csvRows = async (query: Query) => eventRows(window, (await port.csvFile(query)).records)
  const has = (asked: Query) => looks.some((look) => look.text === textOf(asked) && !isPdf(look))

  const judged = async (request: Request, aspect: typeof problemsOfEventsShown) => {
    const cases = await askFiles({ exports: port, window, identity }, [request], byValues, byPlain)
    return ruled(cases, problemsOfFile(aspect))
  }

  for (const look of looks) {
    const { asked, answer, number } = look
    const { timezone, locale, fileType } = asked
    const decide = async (clause: string, law: () => Promise<Problem[]>) => {
      const problems = await law().catch(unlessUndecided)
      if (problems) findings.judged(`export.${clause}`, problems, number)
    }
    const values = valuesIn(asked)
    const isWhole = asked.start === start && asked.end === end
    const type = fileType === 'pdf' ? 'pdf' : 'csv'
    const shown = timezone ? 'timezone' : locale ? 'locale' : undefined
    if (asked.more !== undefined) continue
    if (values.length > 0) await judgeValues()
    else if (isPdf(look)) await judgePdf()
    else if (type === 'csv') await judgeTwins()
    if (isCsv(look))
      await decide('cells-are-values.csv', async () =>
        problemsOfCells(window, await csvRows(asked)),
      )
    if (isCsv(look) && isPlain(look) && !isWhole) await judgeRange()
    if (type === 'pdf' && window.rows.length > PDF_LIMIT && isWhole && isPlain(look))
      await decide('pdf-limit.over', async () => problemsOfStatus(answer, 400))

    /** What means the same, said otherwise. */
    async function judgeTwins() {
      const { locale: _, ...unnamed } = asked
      const twins = [
        ['default-csv', asked, { ...asked, fileType: 'csv' }, fileType === null],
        ['default-locale', unnamed, asked, locale === 'en'],
      ] as const
      for (const [clause, one, other, isTwin] of twins)
        if (isTwin && has(one) && has(other))
          await decide(clause, async () =>
            isAccepted(answer)
              ? problemsOfDifference(port, window, one, other)
              : (await port.csvFile(look.text === textOf(one) ? other : one)) &&
                problemsOfStatus(answer, '2xx'),
          )
      if (!isCsv(look) || !shown || !isWhole || (timezone && locale)) return
      const how = timezone ? { timezone } : { locale: locale as string }
      await decide(`${shown}.same-events`, () => judged({ values: [], ...how }, problemsOfIds))
    }

    async function judgeRange() {
      const parts = looks.filter((each) => isCsv(each) && isPlain(each))
      for (const { asked: other } of parts) {
        const apartMs = Date.parse(other.start ?? '') - Date.parse(asked.end ?? '')
        if (apartMs < 0) continue
        // Ranges may go by another time than is shown: an event is outside of one if it is in the other.
        const theirs = new Set((await csvRows(other)).map((row) => row.join()))
        const rows = await csvRows(asked)
        const strays = rows.filter(
          (row) => theirs.has(row.join()) && times.every((column) => isOutside(row, column, asked)),
        )
        if (times[0] && apartMs > 0)
          await decide('range.outside.rows', async () =>
            problemsOfStrays(rows, strays, asked as Span),
          )
        if (asked.start !== start || other.end !== end || (apartMs > 0 && apartMs < hourMs))
          continue
        const [first, second] = [asked as Span, other as Span]
        const instant = { start: first.end, end: first.end }
        await decide(apartMs === 0 ? 'range.split' : 'range.outside', () =>
          problemsOfParts(csvRows, lenient(port), window, [
            { first, second, ...(apartMs === 0 && { instant }) },
          ]),
        )
      }
    }

    async function judgeValues() {
      const tried = values.map(([field, [value]]) => filters.tried(field, value ?? ''))
      const known = tried.filter((each) => each !== undefined)
      const [[field] = ['tag' as const]] = values
      const [first] = known
      const isUnderstood = values.every(
        ([each, { length }]) => length === 1 && (isMetadataKey(each) || filters.form.settled),
      )
      if (!isUnderstood || !first || known.length < values.length) return
      const isOne = isWhole && !shown
      if (type === 'csv' && isOne && values.length === 1) {
        const needKnown = async (): Promise<[KnownValue]> => [first]
        if (first.effect === 'some')
          await decide(`${partOf(field)}.narrows`, async () =>
            ruled(await askNarrowing(field, { ...filters, needKnown }), problemsOfNarrowing),
          )
        if (first.effect === 'some' || (first.effect === 'all' && (await filters.column(field))))
          await decide(`${partOf(field)}.exact`, async () =>
            ruled(await askValue(first.value, field, filters), problemsOfExact),
          )
        return
      }
      if (known.some(({ effect }) => effect !== 'some') || (type === 'pdf' && !identity)) return
      const bounds = isWhole ? undefined : { start: asked.start ?? start, end: asked.end ?? end }
      const together = known.map((each) => [each])
      const request = { values: together, fileType: type, timezone, locale, bounds } as const
      const isOfKeys = values.every(([each]) => isMetadataKey(each))
      const plain =
        type === 'pdf' ? 'filter.pdf' : `${isOfKeys ? 'metadata' : 'filter'}.conjunction`
      await decide(isOne ? plain : `filter.combined.${type}`, () =>
        judged(request, problemsOfEventsShown),
      )
    }

    async function judgePdf() {
      const { fileType: _, ...query } = asked
      if (shown && (!isWhole || (timezone && locale))) return
      await decide('pdf.text', async () => {
        const [rows, { text = [] }] = [await csvRows(query), await port.pdfFile(query)]
        return rows.length > 0 && text.join('').trim() === '' ? [problemOfNoText(look, rows)] : []
      })
      if (!identity) return
      if (isWhole && !shown)
        await decide('cells-are-values.pdf', async () =>
          problemsOfTexts(await askTexts(port, window)),
        )
      await decide(shown ? `${shown}.pdf` : isWhole ? 'pdf-matches-csv' : 'range.pdf.rows', () =>
        shown
          ? problemsOfPdf(port, window, identity, query)
          : judged({ values: [], fileType: 'pdf', bounds: query as Span }, problemsOfEventsShown),
      )
    }
  }
  const laws: [string, () => Promise<Problem[]>][] = [
    ['deterministic', async () => problemsOfRepeated(await askRepeated(port, window))],
    ...filters.fields.flatMap((field): [string, () => Promise<Problem[]>][] => [
      [
        `${partOf(field)}.exact`,
        async () => ruled(await askSwapped(field, filters), problemsOfExact),
      ],
      [
        `${partOf(field)}.exact`,
        async () => ruled(await askShown(field, filters), problemsOfExact),
      ],
      [`${partOf(field)}.exact`, () => problemsOfOverlap(field, filters.triesOf(field))],
    ]),
  ]
  for (const [clause, law] of laws) {
    const problems = await law().catch(unlessUndecided)
    const isDecided = problems && (problems.length > 0 || clause === 'deterministic')
    if (isDecided) findings.judged(`export.${clause}`, problems, looks[0]?.number ?? 0)
  }
}

const ruled = async <Case extends object>(cases: Cases<Case>, law: Law<Case>) =>
  (await rule(cases, { law })).problems

const partOf = (field: Field) => `${isMetadataKey(field) ? 'metadata' : 'filter'}.${field}`

const isOutside = (
  row: string[],
  { timeIn, unit }: TimeColumn,
  { start = '', end = '' }: Query,
) => {
  const time = timeIn(row)
  return time !== undefined && (time <= instantAt(start) - unit || time >= instantAt(end) + unit)
}

const problemOfNoText = ({ answer, number }: Look, rows: string[][]) =>
  problem(`${describeAnswer(answer)} without text, and the CSV has ${eventsOf(rows.length)}`, {
    expected: 'text',
    got: 'none',
    judged: number,
    control: rows,
  })

/** An event has one value of a field: two of them do not give all events each. */
async function problemsOfOverlap(field: Field, tries: readonly Try[]): Promise<Problem[]> {
  const [one, other] = tries.filter(({ effect }) => effect === 'all')
  const isOne = one?.value.toLowerCase() === other?.value.toLowerCase()
  // How values of a parameter are written is not shown: it may be of no effect for that.
  if (!one || !other || !isMetadataKey(field) || field === 'tag' || isOne) return []
  return [
    problem(`${describeAnswer(one.answer)} with every event, and so has ${field}=${other.value}`, {
      expected: 'no event with both values',
      got: 'every event with both',
      judged: one.answer,
      control: other.answer,
    }),
  ]
}

/** The same, where what was not recorded is refused: for laws that ask whether it is. */
const lenient = (port: Exports): Exports => ({
  ...port,
  csv: (query) => port.csv(query).catch(() => ({ answer: { status: 404 } }) as never),
})

/** What the recording shows of the filters, as a run knows its own. */
async function filtersIn(port: Exports, window: Window, looks: readonly Look[]) {
  const all: (Try & { field: Field })[] = []
  for (const { asked } of looks) {
    const [[field, [value = '', more] = []] = [], other] = valuesIn(asked)
    const isWhole = asked.start === window.start && asked.end === window.end
    if (!field || other || more !== undefined || !isWhole || asked.timezone || asked.locale)
      continue
    if (all.some((each) => each.field === field && each.value === value)) continue
    const found = await tryValue(port, window, { field, value }).catch(unlessUndecided)
    if (found) all.push({ ...found, field })
  }
  const triesOf = (name: Field) => all.filter(({ field }) => field === name)
  const isTelling = ({ effect }: Try) => effect === 'some'
  const none = async () => {
    throw new NotDecidable('data', notShown)
  }
  const settled = all.some((each) => isTelling(each) && !isMetadataKey(each.field))
  return {
    fields: [...new Set(all.map(({ field }) => field))].filter(
      (field) => settled || isMetadataKey(field),
    ),
    tried: (name: Field, text: string) => triesOf(name).find(({ value }) => value === text),
    triesOf,
    form: { encoding: 'repeat', declared: false, settled },
    exports: port,
    window,
    column: (field) =>
      port.once(`column of ${field}`, () => learnColumn(field, lenient(port), window, [])),
    known: async (field) => triesOf(field).filter(isTelling),
    tries: async (field) => triesOf(field),
    needKnown: none,
    likely: async () => [],
    read: async () => [],
    tryUnknown: none,
    state: none,
    refusesKnown: async () => false,
    why: async () => ['data', notShown],
  } satisfies Filters & Record<string, unknown>
}
