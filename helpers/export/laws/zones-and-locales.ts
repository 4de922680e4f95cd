// Zones and languages that a service accepts: which ones it supports is not shown.

import { distinct } from '../../../engine/distinct.ts'
import { isEqual, multisetOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import type { Observation } from '../../../engine/observation.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { type Exports, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { confirmed } from '../learn/confirmed.ts'
import type { Span } from '../learn/spans.ts'
import { eventRows, type Window } from '../learn/window.ts'

/** 25 hours apart: their dates always differ. */
export const zonesFarApart = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const

/** Further pairs, for services that ignore unknown zones. */
export const pairsOfZones = [
  zonesFarApart,
  ['Asia/Tokyo', 'America/Los_Angeles'],
  ['Asia/Kolkata', 'Europe/London'],
] as const

/**
 * With and without daylight saving, in both directions and on both hemispheres, off by halves and quarters,
 * with a three-part name, with an offset in the name, and more than half a day from UTC.
 */
const zonesToTry = [
  'America/St_Johns',
  'Etc/GMT+9',
  'Australia/Sydney',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'America/Argentina/Buenos_Aires',
  ...zonesFarApart,
] as const

/** Names of every form in the list of zones. */
const formsOfZones = [
  ...['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Argentina/Buenos_Aires', 'Etc/GMT+9'],
]
/** A one-part name: systems may leave it out as a former name. */
const formerName = 'Japan'

/** Likely languages, the likeliest first. */
export const languages = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ja', 'zh', 'ar'] as const

export const noZone =
  'too few of the zones tried are accepted; which zones are supported is not shown'
export const noLanguage =
  'none of the languages tried is accepted; the supported locales are not shown'

/** Whether the service accepts a query; it may refuse what it does not support. */
async function isAcceptedQuery(exports: Exports, query: Query): Promise<boolean> {
  const found = await exports.csv(query)
  const { status } = found.answer
  if (isAccepted(found.answer)) return true
  if (status === 403 || status >= 500) needCsv(found)
  return false
}

export async function acceptedValues<Value extends string>(
  exports: Exports,
  values: readonly Value[],
  queryFor: (value: Value) => Query,
  maxCount = values.length,
): Promise<Value[]> {
  const accepted: Value[] = []
  const { declared, found } = exports.facts
  for (const value of values) {
    if (accepted.length === maxCount) break
    const query = queryFor(value)
    const kind = query.timezone === value ? 'timezones' : 'locales'
    const isIn = declared[kind]?.includes(value) ?? (await isAcceptedQuery(exports, query))
    if (!isIn) continue
    accepted.push(value)
    found[kind] = distinct([...(found[kind] ?? []), value])
  }
  return accepted
}

export const acceptedLanguages = (exports: Exports, span: Span, maxCount: number) =>
  acceptedValues(exports, languages, (locale) => ({ ...span, locale }), maxCount)

/** Zones that are refused, or passed over, beside one that is not. */
export async function problemsOfRefusedZones(
  exports: Exports,
  window: Window,
  span: Span,
): Promise<Problem[]> {
  const queryFor = (timezone: string) => ({ ...span, timezone })
  const all = await acceptedValues(exports, [...formsOfZones, formerName], queryFor)
  const accepted = formsOfZones.filter((zone) => all.includes(zone))
  const [control] = accepted
  if (control === undefined) throw new NotDecidable('freedom', noZone)
  const beside = await exports.csv(queryFor(control))
  const refused = formsOfZones.filter((zone) => !accepted.includes(zone))
  const passedOver = await confirmed(exports, window, async (fetch) => {
    if (all[0] !== 'UTC') return []
    const [inUtc = [], ...files] = await Promise.all(all.map((zone) => fetch(queryFor(zone))))
    const same = files.filter((rows) => isEqual(textsOf(rows), textsOf(inUtc)))
    // If the file shows no time of day, one zone may show the same dates as another.
    const isTimed = inUtc.flat().some((cell) => /\d[:.h]\d\d/.test(cell))
    const seen = { expected: 'other dates', got: 'the dates of UTC', control: inUtc }
    return (isTimed && same.length * 2 < files.length ? same : []).map((rows) => {
      const zone = all[files.indexOf(rows) + 1]
      return problem(`the file in ${zone} is as in UTC`, { ...seen, judged: rows })
    })
  })
  const ofRefused = await Promise.all(
    refused.map(async (zone) => {
      const { answer } = await exports.csv(queryFor(zone))
      return problem(`${describeAnswer(answer)} to ${zone}, and ${control} is accepted`, {
        expected: '200',
        judged: answer,
        control: beside,
      })
    }),
  )
  return [...ofRefused, ...passedOver]
}

/** All that a file shows, in any column. */
const textsOf = (rows: string[][]) => multisetOf(rows, [...(rows[0] ?? []).keys()])

/** The accepted zones, and those that change the file: an unsupported zone may be ignored. */
async function zonesWithEffect(
  exports: Exports,
  window: Window,
  span: Span,
  zones: readonly string[],
) {
  const eventsIn = async (query: Query) => {
    const { records } = await exports.csvFile({ ...span, ...query })
    return multisetOf(eventRows(window, records), window.columns)
  }
  const accepted = await acceptedValues(exports, zones, (timezone) => ({ ...span, timezone }))
  const plain = await eventsIn({})
  const changing: string[] = []
  for (const timezone of accepted)
    if (!isEqual(await eventsIn({ timezone }), plain)) changing.push(timezone)
  return { accepted, changing }
}

/** Two accepted zones far apart, preferably such that change the file. */
export async function needZonesApart(
  exports: Exports,
  window: Window,
  span: Span,
): Promise<string[]> {
  let most: string[] = []
  for (const pair of pairsOfZones) {
    const { accepted, changing } = await zonesWithEffect(exports, window, span, pair)
    if (changing.length > 0) return accepted
    if (accepted.length > most.length) most = accepted
  }
  if (most.length > 0) return most
  throw new NotDecidable('clause', 'no time zone is accepted', 'export.timezone.formats')
}

export async function needZonesWithEffect(
  exports: Exports,
  window: Window,
  span: Span,
): Promise<string[]> {
  const { accepted, changing } = await zonesWithEffect(exports, window, span, zonesToTry)
  if (changing.length > 0) return changing
  throw new NotDecidable(
    'freedom',
    accepted.length > 0
      ? `${accepted.join(', ')} are accepted and change no time; which zones are supported is not shown`
      : noZone,
  )
}

/** The effect of a locale: a status, or whether the file equals the English one. */
export async function describeLocale(
  exports: Exports,
  span: Span,
  locale: string,
): Promise<Observation> {
  const fileOf = async (query: Query) =>
    JSON.stringify((await exports.csvFile({ ...span, ...query })).records)
  const { answer } = await exports.csv({ ...span, locale })
  if (answer.status !== 200) return answer.status
  const [plain, english, found] = [
    await fileOf({}),
    await fileOf({ locale: 'en' }),
    await fileOf({ locale }),
  ]
  // A file that shows when it was made always differs.
  return found === plain || found === english || plain !== english
    ? 'as in English'
    : 'another file'
}
