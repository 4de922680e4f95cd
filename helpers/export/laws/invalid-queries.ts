import type { Unasked } from '../../../engine/clause/case.ts'
import { caseOrWhy } from '../../../engine/clause/law.ts'
import { day, instantAt, isoOf, millisecond, second } from '../../../engine/files/dates.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Answer } from '../../../engine/http/client.ts'
import { type Answered, problemsOfStatus } from '../../../engine/http/status-problems.ts'
import { Trouble } from '../../../engine/outcome.ts'
import type { Problem } from '../../../engine/problem.ts'
import { keyOf } from '../../contract/metadata-keys.ts'
import { defaultLanguage, type FileType, metadataParameter } from '../../contract/parameters.ts'
import { statuses } from '../../contract/statuses.ts'
import { sentenceOf } from '../../findings/kinds.ts'
import { noneInJson, problemsOfNonJson, saysJson } from '../../reads/refusals.ts'
import { premise } from '../../service/answers.ts'
import { needAnswer, needDecidable } from '../ask/decidable.ts'
import { type CsvExport, type Exports, needCsv, needExport } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import { filterBy, type Query, recentHour, type Span } from '../ask/query.ts'
import { ask, type Dialogue, foundIn, heldOnce } from '../learn/confirmed.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { farPast, noEvents } from '../learn/spans.ts'
import { lastOf } from './bounds.ts'

type InvalidQuery = {
  name: string
  what: string
  /** the mistake in a query of little, and what repairs it; any existing task is a valid value */
  wrong: Query
  repaired?(taskId: string | undefined): Query
}

/** The invalid requests that the contract does not name; each asks for little. */
export const invalidQueries: InvalidQuery[] = [
  { name: 'file-type', what: 'a file_type other than csv and pdf', wrong: { fileType: 'xlsx' } },
  {
    name: 'metadata-key',
    what: 'a metadata key that is not allowed',
    wrong: { more: `${metadataParameter('colour')}=blue` },
    // An unknown tag may be refused as well: then the control leaves it undecided.
    repaired: (id) => (id ? filterBy(keyOf.task, id) : filterBy(keyOf.tag, 'blue')),
  },
  { name: 'range-form', what: 'a range_start that is not a datetime', wrong: { start: 'soon' } },
  {
    name: 'timezone',
    what: 'a timezone that is not an IANA time zone name',
    wrong: { timezone: 'Mars/Olympus_Mons' },
    repaired: () => ({ timezone: 'Europe/Berlin' }),
  },
]

export type Controlled = { what: string; answer: Answered; control: Answered }

export const problemsOfInvalid = ({ answer, control }: Controlled): Problem[] =>
  problemsOfStatus(answer, statuses.invalidExport, { control })

/** A 500 counts if it was given twice, as it is by exports. */
export const problemsOf500 = ({ what, answer, control }: Controlled): Problem[] =>
  problemsOfStatus(
    answer,
    { not: statuses.failedExport },
    {
      to: `twice to ${what}`,
      although: `a valid request gets ${control.status}`,
      control,
    },
  )

/** The control is the repaired request; it and a plain request have to be accepted. */
export async function fetchInvalid(
  exports: Exports,
  { what, wrong, repaired }: Omit<InvalidQuery, 'name'>,
  taskId: string | undefined,
): Promise<Controlled> {
  const span = recentHour(exports)
  const { answer: plain } = await exports.refusal(span)
  const { answer: control } = await exports.refusal({ ...span, ...repaired?.(taskId) })
  needDecidable(control)
  premise(plain.status === statuses.exported, 'clause', describeAnswer(plain), 'export.csv.status')
  const open = `${describeAnswer(control)} to a valid request; the contract does not list every invalid export`
  premise(isAccepted(control), 'freedom', open)
  const { answer } = await exports.refusal({ ...span, ...wrong })
  needAnswer(answer)
  return { what, answer, control }
}

const malformedBounds: readonly (readonly [what: string, query: Query])[] = [
  ['a range_end that is a word', { end: 'yesterday' }],
  ['a range_end on 30 February', { end: '2025-02-30T00:00:00.000Z' }],
  ['a range_end at 25 hours', { end: '2025-02-01T25:00:00.000Z' }],
  ['a range_end that is a number of twenty digits', { end: '99999999999999999999' }],
  ['a range_end in a year of six digits', { end: '+275761-01-01T00:00:00.000Z' }],
  ['a range_end with a quote', { end: "2025-02-01'" }],
  ['a range_end with a NUL character', { end: '2025-02-01\u0000' }],
  ['a range_start on 30 February', { start: '2025-02-30T00:00:00.000Z' }],
  ['two values of range_start', { more: 'range_start=yesterday' }],
  ['range_start[at] in place of range_start', { start: undefined, more: 'range_start[at]=soon' }],
]

export async function fetchMalformedBounds(exports: Exports): Promise<Controlled[]> {
  const span = recentHour(exports)
  const { answer: control } = await exports.refusal(span)
  needDecidable(control)
  premise(isAccepted(control), 'clause', describeAnswer(control), 'export.csv.status')
  const tried = await Promise.allSettled([
    ...malformedBounds.map(async ([what, query]) => {
      const { answer } = await exports.refusal({ ...span, ...query })
      return [{ what, answer, control }]
    }),
    besidePdf(exports, span),
  ])
  // A gateway may close the connection at a quote, or answer 403.
  const asked = tried.flatMap((each) => {
    if (each.status === 'fulfilled') return each.value
    if (each.reason instanceof Trouble) return []
    throw each.reason
  })
  if (asked.length === 0) throw new Trouble('no request with a malformed bound got a response')
  return asked
}

async function besidePdf(exports: Exports, span: Span): Promise<Controlled[]> {
  const { answer: control } = await exports.pdf(span)
  if (!isAccepted(control)) return []
  const { answer } = await exports.pdf({ ...span, end: 'yesterday' })
  return [{ what: 'a PDF export with a range_end that is a word', answer, control }]
}

const reversed = (query: Query): Query => ({ ...query, start: query.end, end: query.start })

/** The answers to a reversed range and to each invalid request, all under way. */
export function refusalsOf(exports: Exports): Promise<{ name: string; answer: Answer }>[] {
  const all = [{ name: 'reversed range', wrong: reversed(recentHour(exports)) }, ...invalidQueries]
  return all.map(async ({ name, wrong }) => {
    const { answer, text = '' } = await exports.refusal({ ...recentHour(exports), ...wrong })
    return { name, answer: { ...answer, text, bytes: Buffer.from(text), validUtf8: true } }
  })
}

export function problemsOfErrorBody({ answer }: { answer: Answer }): Problem[] {
  premise(saysJson(answer), 'freedom', noneInJson)
  return problemsOfNonJson(answer)
}

const everythingElse: Query = {
  timezone: 'Europe/Berlin',
  locale: defaultLanguage,
  filters: { event_type: ['assessment'], sub_type: ['created'] },
}

export async function fetchReversed(ranges: Ranges, fileType: FileType) {
  const { exports, few } = ranges
  const ask = (query: Query): Promise<CsvExport | PdfExport> =>
    fileType === 'pdf' ? exports.pdf(query) : exports.csv(query, { read: 20 })
  const cases: (Controlled | Unasked)[] = []
  let refused: CsvExport | PdfExport | undefined
  const fetchCase = async (asked: Query | Promise<Query | undefined>): Promise<Controlled[]> => {
    const query = await asked
    const control = query && (await ask(query))
    if (control && !isAccepted(control.answer)) refused = control
    if (!control || refused === control) return []
    const found = await ask(reversed(query))
    if (found.answer.status > 500) needExport(found)
    return [{ what: 'a reversed range', answer: found.answer, control: control.answer }]
  }
  // Trouble with one range must not hide what another shows.
  const add = async (asked: Query | Promise<Query | undefined>) =>
    cases.push(...[await caseOrWhy(fetchCase(asked))].flat())
  const { end: recent } = recentHour(exports)
  await add({ start: isoOf(instantAt(recent) - 2n * second), end: recent })
  await add(noEvents)
  await add({ start: farPast, end: isoOf(instantAt(farPast) + 365n * day) })
  await add({ ...noEvents, ...everythingElse })
  await add(findToldApart(ranges))
  // Files without events may be refused.
  if (cases.every((each) => each instanceof Error)) await add(few().catch(unlessUndecided))
  if (cases.length === 0 && refused) needExport(refused)
  return cases
}

/** A 500 leaves open whether the range is the reason. */
export function problemsOfReversed(reversed: Controlled): Problem[] {
  const [failed] = problemsOf500(reversed)
  if (failed) throw new Trouble(`${sentenceOf(failed.finding)}; the range may not be the reason`)
  return problemsOfInvalid(reversed)
}

/** Two bounds a millisecond apart that the service distinguishes: the earlier one includes one more event. */
async function findToldApart(ranges: Ranges): Promise<Span | undefined> {
  const times = ((await ranges.cuts().catch(unlessUndecided)) ?? []).map(instantAt)
  const unit = (await ranges.times().catch(unlessUndecided))?.columns[0].unit
  const [first, last = first] = times
  if (first === undefined || last === undefined) return undefined
  // Times may be shown more coarsely than they are stored, or not at all.
  const [low, high] = unit === undefined ? [first, last] : [first - unit, first + unit]
  const end = isoOf(high + millisecond)
  const { exports } = ranges
  const countFrom = (start: bigint) =>
    ask(async ({ port }) => (await port.csv({ start: isoOf(start), end })).csv?.count ?? 0)
  const found = await heldOnce(exports, function* find(): Dialogue<bigint | undefined> {
    const none = yield* countFrom(high)
    const holdsMore = function* holds(start: bigint): Dialogue<boolean> {
      return (yield* countFrom(start)) > none
    }
    return yield* lastOf(holdsMore, [low, high], millisecond)
  })
  const start = foundIn(found)
  return start === undefined ? undefined : { start: isoOf(start), end: isoOf(start + millisecond) }
}

/** The answer to a range of one instant, if the same with one more second is accepted. */
export async function fetchInstantAnswer({ exports, cuts }: Ranges) {
  const [at = recentHour(exports).end] = (await cuts().catch(unlessUndecided)) ?? []
  const control = await exports.csv({ start: at, end: isoOf(instantAt(at) + second) })
  needCsv(control)
  const instant = await exports.csv({ start: at, end: at })
  if (!isRefused(instant.answer) || instant.answer.status === 403) needExport(instant)
  return { answer: instant.answer, control: control.answer }
}
