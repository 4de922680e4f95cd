import { distinct } from '../../../engine/distinct.ts'
import { isEqual, multisetOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Observation } from '../../../engine/observation.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { type Exports, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import type { Fetch } from '../learn/confirmed.ts'
import type { Span } from '../learn/spans.ts'
import type { Times } from '../learn/time-column.ts'
import { eventRows, type Window } from '../learn/window.ts'

/** 25 hours apart: whatever the hour, the two have different dates. */
export const zonesFarApart = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const

/** For services that pass over zones which they do not know. */
const otherZones = [
  ['Asia/Tokyo', 'America/Los_Angeles'],
  ['Asia/Kolkata', 'Europe/London'],
] as const

/**
 * With and without daylight saving, in both directions and of either half of the earth, off by halves and
 * quarters, a name of three parts.
 */
const zonesToTry = [
  'America/New_York',
  'Australia/Sydney',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kathmandu',
  'America/Argentina/Buenos_Aires',
] as const

/** Names of every form that the list of zones has. */
const formsOfZones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Argentina/Buenos_Aires']

const noZone = 'too few of the zones tried are accepted; which zones are supported is not shown'

/** Whether the service lets a query in: it may refuse what it does not support. */
async function isAcceptedQuery(exports: Exports, query: Query): Promise<boolean> {
  const found = await exports.csv(query)
  const { status } = found.answer
  if (isAccepted(found.answer)) return true
  if (status === 403 || status >= 500) needCsv(found)
  return false
}

/** Those of the values that the service lets in for a parameter. */
export async function acceptedValues<Value extends string>(
  exports: Exports,
  values: readonly Value[],
  queryFor: (value: Value) => Query,
): Promise<Value[]> {
  const accepted: Value[] = []
  const { declared, found } = exports.facts
  for (const value of values) {
    const query = queryFor(value)
    const kind = query.timezone === value ? 'timezones' : 'locales'
    const isAccepted = declared[kind]?.includes(value) ?? (await isAcceptedQuery(exports, query))
    if (!isAccepted) continue
    accepted.push(value)
    found[kind] = distinct([...(found[kind] ?? []), value])
  }
  return accepted
}

/** Zones that are refused, beside one that is accepted. */
export async function problemsOfRefusedZones(exports: Exports, span: Span): Promise<Problem[]> {
  const queryFor = (timezone: string) => ({ ...span, timezone })
  const accepted = await acceptedValues(exports, formsOfZones, queryFor)
  const [control] = accepted
  if (control === undefined) throw new NotDecidable('freedom', noZone)
  const beside = await exports.csv(queryFor(control))
  const refused = formsOfZones.filter((zone) => !accepted.includes(zone))
  return Promise.all(
    refused.map(async (zone) => {
      const { answer } = await exports.csv(queryFor(zone))
      return problem(`${describeAnswer(answer)} to ${zone}, and ${control} is accepted`, {
        expected: '200',
        got: String(answer.status),
        judged: answer,
        control: beside,
      })
    }),
  )
}

/** Pairs of zones whose files are the same; none if any pair differs. `beside` is asked for with each. */
export async function problemsOfZones(
  exports: Exports,
  fetch: Fetch,
  { window, span, beside = {} }: { window: Window; span: Span; beside?: Pick<Query, 'locale'> },
): Promise<Problem[]> {
  const alike: Problem[] = []
  const said = Object.values(beside).map((value) => ` beside ${value}`)
  let leftOut: readonly string[] | undefined
  for (const pair of [zonesFarApart, ...otherZones]) {
    const inZone = (timezone: string) => ({ ...span, ...beside, timezone })
    if ((await acceptedValues(exports, pair, inZone)).length < pair.length) continue
    const [one, other] = [await fetch(inZone(pair[0])), await fetch(inZone(pair[1]))]
    if (!isEqual(multisetOf(one, window.columns), multisetOf(other, window.columns))) return []
    // Alike only without what differs between two requests for the same: a date may be in there.
    if (!isEqual(multisetOf(one, columnsOf(one)), multisetOf(other, columnsOf(other)))) {
      leftOut ??= pair
      continue
    }
    alike.push(
      problem(`the file is the same in ${pair.join(' and ')}${said.join('')}`, {
        expected: 'other dates in each zone',
        got: 'the same dates',
        judged: other,
        control: one,
        again: { holds: 'a.text !== c.text' },
      }),
    )
  }
  if (leftOut)
    throw new NotDecidable(
      'freedom',
      `files in ${leftOut.join(' and ')} differ only in columns that differ between two equal requests too; which columns a file has is not shown`,
    )
  return alike.length > 0 ? alike : problemsOfNoZone(exports, { ...span, ...beside })
}

/** That each of the zones that are tried is refused: a zone is stated to format dates. */
async function problemsOfNoZone(exports: Exports, query: Query): Promise<Problem[]> {
  const zones = ['UTC', ...zonesFarApart, ...otherZones.flat()]
  const answers: Downloaded[] = []
  for (const timezone of zones) answers.push((await exports.csv({ ...query, timezone })).answer)
  if (!answers.every(isRefused)) throw new NotDecidable('freedom', noZone)
  const control = await exports.csv(query)
  needCsv(control)
  return [
    problem(`all ${zones.length} time zones tried were refused: ${zones.join(', ')}`, {
      expected: '200',
      got: [...new Set(answers.map(({ status }) => status))].join(', '),
      judged: answers,
      control,
    }),
  ]
}

const columnsOf = (rows: readonly string[][]) =>
  Array.from({ length: rows[0]?.length ?? 0 }, (_, column) => column)

/** Zones far apart that are accepted, and of those that change the file where there are any. */
export async function needZonesApart(
  exports: Exports,
  window: Window,
  span: Span,
): Promise<string[]> {
  const textIn = async (query: Query) => {
    const rows = eventRows(window, needCsv(await exports.csv({ ...span, ...query })).records)
    return JSON.stringify(rows.map((row) => window.columns.map((column) => row[column])).sort())
  }
  let accepted: string[] = []
  for (const pair of [zonesFarApart, ...otherZones]) {
    const found = await acceptedValues(exports, pair, (timezone) => ({ ...span, timezone }))
    if (found.length > accepted.length) accepted = found
    const texts = await Promise.all(found.map((timezone) => textIn({ timezone })))
    if (new Set(texts).size > 1) return found
  }
  if (accepted.length === 0)
    throw new NotDecidable('clause', 'no time zone is accepted', 'export.timezone.formats')
  return accepted
}

type At = { window: Window; times: Times; span: Span }

/** The zones that change the file: one that is not supported may be passed over. */
export async function needZonesWithEffect(exports: Exports, at: At): Promise<string[]> {
  const { accepted, changing } = await zonesWithEffect(exports, zonesToTry, at)
  if (changing.length > 0) return changing
  throw new NotDecidable(
    'freedom',
    accepted.length > 0
      ? `${accepted.join(', ')} are accepted and change no time; which zones are supported is not shown`
      : noZone,
  )
}

/** Those of the zones that are accepted, and of these the ones in which times are shown otherwise. */
export async function zonesWithEffect(
  exports: Exports,
  zones: readonly string[],
  { window, times, span }: At,
): Promise<{ accepted: string[]; changing: string[] }> {
  const accepted = await acceptedValues(exports, zones, (timezone) => ({ ...span, timezone }))
  const textsIn = async (query: Query) => {
    const rows = eventRows(window, needCsv(await exports.csv({ ...span, ...query })).records)
    return JSON.stringify(rows.map(times.columns[0].textIn).sort())
  }
  const inUtc = await textsIn(times.utc)
  const changing: string[] = []
  for (const timezone of accepted)
    if ((await textsIn({ timezone })) !== inUtc) changing.push(timezone)
  return { accepted, changing }
}

/** Languages that services are likely to support, the likeliest first. */
export const languages = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja', 'zh', 'ar'] as const

/** The first few languages that the service lets in: unsupported ones may be refused. */
export async function acceptedLanguages(exports: Exports, span: Span, maxCount: number) {
  const accepted: string[] = []
  for (const locale of languages)
    if (accepted.length < maxCount)
      accepted.push(...(await acceptedValues(exports, [locale], () => ({ ...span, locale }))))
  return accepted
}

/** The same, and one at least. */
export async function needLanguages(exports: Exports, span: Span, maxCount: number) {
  const accepted = await acceptedLanguages(exports, span, maxCount)
  if (accepted.length === 0) throw new NotDecidable('freedom', noLanguage)
  return accepted
}

const noLanguage = 'none of the languages tried is accepted; the supported locales are not shown'

/** The languages in which a file is not as it is in English. */
export async function languagesWithEffect(exports: Exports, span: Span): Promise<string[]> {
  const showing: string[] = []
  for (const locale of languages)
    if ((await describeLocale(exports, span, locale)) === 'another file') showing.push(locale)
  return showing
}

/** What becomes of a locale: a status, or whether the file is as it is in English. */
export async function describeLocale(
  exports: Exports,
  span: Span,
  locale: string,
): Promise<Observation> {
  const fileOf = async (query: Query) =>
    JSON.stringify(needCsv(await exports.csv({ ...span, ...query })).records)
  const { answer } = await exports.csv({ ...span, locale })
  if (answer.status !== 200) return answer.status
  const [english, again] = [await fileOf({}), await fileOf({ locale: 'en' })]
  const found = await fileOf({ locale })
  // A file that tells when it was made differs every time.
  if (found === english || found === again || english !== again) return 'as in English'
  return 'another file'
}
