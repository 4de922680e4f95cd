import type { Some } from '../../../engine/clause/law.ts'
import { distinct } from '../../../engine/distinct.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import {
  dateIn,
  day,
  hour,
  instantAt,
  isoOf,
  millisecond,
  type Order,
  type ShownDate,
  second,
} from '../../../engine/files/dates.ts'
import { isEqual } from '../../../engine/files/multiset.ts'
import { isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Observation } from '../../../engine/observation.ts'
import { premise } from '../../service/answers.ts'
import { needDecidable } from '../ask/decidable.ts'
import { type CsvExport, needCsv } from '../ask/exports.ts'
import { type Query, recentHour } from '../ask/query.ts'
import type { Ranges } from '../learn/ranges.ts'
import type { Times } from '../learn/time-column.ts'
import { eventsShown, rowsSeen, type Window } from '../learn/window.ts'

export const statusOf = ([{ status }]: Some<Downloaded>): Observation => ({ status })

export function contentTypeOf([answer]: Some<Downloaded>): string {
  needDecidable(answer)
  return answer.headers['content-type']?.toLowerCase().replace(/\s*;\s*/g, '; ') ?? 'none'
}

export function dispositionOf({ headers }: Pick<Downloaded, 'headers'>) {
  const text = headers['content-disposition']
  if (text === undefined) return undefined
  const [, name] = /filename\*?=\s*(?:utf-8''|iso-8859-1'')?"?([^";]*)"?/i.exec(text) ?? []
  return {
    type: text.split(';')[0]?.trim().toLowerCase() ?? '',
    name: name
      ?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, 'ID')
      .replaceAll(/[^\W_]*\d[^\W_]*/g, '0'),
  }
}

export function orderOf([{ rows, header }]: Some<Window>): Observation {
  const width = rows[0]?.length ?? 0
  for (let column = 0; column < width; column += 1) {
    const values = rows.map((row) => sortable(row[column] ?? ''))
    // Few values may be sorted by chance.
    if (new Set(values).size < Math.max(10, rows.length / 2)) continue
    const by = header?.[column] ?? column + 1
    if (isSorted(values)) return { by, order: 'ascending' }
    if (isSorted([...values].reverse())) return { by, order: 'descending' }
  }
  return 'none seen'
}

/** Dates sort by instant; a number would be read as a year. */
function sortable(cell: string): string | number {
  if (/^-?\d+(\.\d+)?$/.test(cell)) return Number(cell)
  return (/\d/.test(cell) && /[-/:.\s]/.test(cell) && Date.parse(cell)) || cell
}

const isSorted = (values: (string | number)[]) =>
  values.every((value, at) => at === 0 || (values[at - 1] as string | number) <= value)

export function dateFormsOf([{ times, window }]: Some<{ times: Times; window: Window }>) {
  const { columns, rows } = times
  const forms = columns.map(({ place, order, textIn }) => [
    window.header?.[place] ?? place + 1,
    formOf(rows.map(textIn), order) ?? 'in no form that is known here',
  ])
  return Object.fromEntries(forms)
}

/** The beginnings of cells that a spreadsheet reads as a formula, or would without protection. */
export function formulaStarts(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.flat().filter((cell) => !/^-?[\d.,]*$/.test(cell))
  return distinct(cells.flatMap((cell) => /^['\t\s]?[=+@-]/.exec(cell)?.[0] ?? [])).sort()
}

type Meanings = { found: CsvExport; window: Window; files: Record<string, CsvReading> }

async function fetchMeanings(
  { exports, window }: Ranges,
  asked: Query,
  queries: Record<string, Query>,
): Promise<Meanings> {
  const found = await exports.csv(asked)
  const files: Meanings['files'] = {}
  if (!isRefusedRange(found)) {
    needCsv(found)
    for (const [name, query] of Object.entries(queries)) files[name] = await exports.csvFile(query)
  }
  return { found, window: await window(), files }
}

export async function fetchOffsetBounds(ranges: Ranges): Promise<Meanings> {
  const [at = recentHour(ranges.exports).end] = await ranges.cuts()
  // Two hours: the same clock in UTC gives other events.
  const [start, end] = [isoOf(instantAt(at) - hour), isoOf(instantAt(at) + hour - second)]
  const ahead = (iso: string) => isoOf(instantAt(iso) + 2n * hour)
  const withOffset = (iso: string) => ahead(iso).replace('Z', '+02:00')
  const asked = { start: withOffset(start), end: withOffset(end) }
  return fetchMeanings(ranges, asked, {
    'the instants they are': { start, end },
    'the same clock in UTC': { start: ahead(start), end: ahead(end) },
  })
}

export async function fetchDateOnlyBounds(ranges: Ranges): Promise<Meanings> {
  const date = (await ranges.few()).start.slice(0, 10)
  const start = `${date}T00:00:00.000Z`
  const asked = { start: date, end: date }
  return fetchMeanings(ranges, asked, {
    'its first instant': { start, end: start },
    'the whole day': { start, end: isoOf(instantAt(start) + day - millisecond) },
  })
}

export function meaningOf([{ found, window, files }]: Some<Meanings>): Observation {
  if (isRefusedRange(found)) return found.answer.status
  const events = eventsShown(window, needCsv(found))
  const alike = Object.entries(files).flatMap(([name, file]) =>
    isEqual(events, eventsShown(window, file)) ? [name] : [],
  )
  const same = `${alike.join(' and ')} return the same events here; a window where they differ is needed`
  premise(alike.length <= 1, 'data', same)
  return alike[0] ?? 'something else'
}

type NoBound = { what: string; found: CsvExport; window: Window; without: CsvReading }

export async function* askNoBounds({ exports, window }: Ranges): AsyncGenerator<NoBound> {
  const start = recentHour(exports).end
  for (const [what, end] of Object.entries({ null: 'null', empty: '' })) {
    const without = await exports.csvFile({ start })
    yield { what, found: await exports.csv({ start, end }), window: await window(), without }
  }
}

export const meaningsOf = (all: Some<NoBound>): Observation =>
  Object.fromEntries(
    all.map(({ what, found, window, without }) => {
      if (isRefusedRange(found)) return [what, found.answer.status]
      const [count, least] = [needCsv(found), without].map(
        (file) => rowsSeen(window, file).length,
      ) as [number, number]
      // Events may arrive meanwhile.
      return [what, count >= least ? 'none' : 'something else']
    }),
  )

const isRefusedRange = ({ answer }: CsvExport) => isRefused(answer) && answer.status !== 403

/** "{YYYY}-{MM}-{DD}T{HH}:{mm}:{ss}{Z}"; undefined if the form is not the same for all, or unknown */
export function formOf(texts: readonly string[], order: Order): string | undefined {
  const forms = distinct(texts).map((text) => partsIn(text, order))
  const [first, ...others] = forms
  if (!first || others.some((each) => each?.length !== first.length)) return undefined
  const used = new Set<string>()
  const isFree = (word: string) => {
    const kind = kindOf(word)
    return kind === undefined || (!used.has(kind) && (kind !== 'S' || used.has('s')))
  }
  const words = first.map((choices, at) => {
    const common = choices.filter((word) => others.every((each) => each?.[at]?.includes(word)))
    const word = common.find(isFree)
    used.add(kindOf(word ?? '') ?? '')
    return word
  })
  return words.includes(undefined) ? undefined : words.join('')
}

function partsIn(text: string, order: Order): string[][] | undefined {
  const shown = dateIn(text, order)
  if (!shown) return undefined
  if (order === 'epoch') return [[`{${epochs[text.split('.')[0]?.length ?? 0] ?? 'epoch'}}`]]
  const zone = zoneIn(text, shown)
  const tokens = zone.rest.match(/\d+|\p{L}+|[^\d\p{L}]+/gu) ?? []
  const parts = partsOf(shown, order, /(?<!\p{L})[ap]\.?m\b/iu.test(zone.rest))
  const choices = tokens.map((token) => {
    const fields = parts.flatMap(([field, part]) => (part === token ? [`{${field}}`] : []))
    // An unknown word stays.
    return fields.length > 0 || /\d/.test(token) ? fields : [token]
  })
  return [...choices, [zone.form]]
}

const epochs: Record<number, string> = { 10: 's', 13: 'ms', 16: 'us', 19: 'ns' }

/** An offset or the name of UTC, or both, at the end of a text. */
const zone =
  /(?<space>\s?)(?:(?<utc>Z)|(?<hours>[+\u2212-]\d{2})(?:(?<colon>:?)(?<minutes>\d{2}))?)?(?:(?<bracket>\[?)(?<name>UTC|GMT|Etc\/UTC)\]?)?$/

function zoneIn(text: string, { offset }: ShownDate): { rest: string; form: string } {
  const { index = 0, groups = {} } = zone.exec(text) ?? {}
  const { space = '', utc, hours, colon, minutes, bracket, name } = groups
  if (name === undefined && offset === undefined) return { rest: text, form: '' }
  const ofHours = minutes === undefined ? '{+HH}' : colon ? '{+HH:MM}' : '{+HHMM}'
  const form = `${utc ? '{Z}' : hours ? ofHours : ''}${name ? (bracket && (utc || hours) ? '[{zone}]' : '{zone}') : ''}`
  return { rest: text.slice(0, index), form: space + form }
}

const named = (field: string, options: Intl.DateTimeFormatOptions) =>
  [field, new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' })] as const
const names = [
  named('MMMM', { month: 'long' }),
  named('MMM', { month: 'short' }),
  named('dddd', { weekday: 'long' }),
  named('ddd', { weekday: 'short' }),
]

/** Each part of a date in each form, padded forms first; hours up to twelve where am or pm is shown. */
function partsOf({ wall }: ShownDate, order: Order, isHalved: boolean): [string, string][] {
  const at = new Date(Number(wall / 1_000_000n))
  const [YYYY = '', MM = '', DD = '', HH = '', mm = '', ss = ''] = at.toISOString().split(/[^\d]/)
  const short = (text: string) => String(Number(text))
  const ofTwelve = String(Number(HH) % 12 || 12)
  const half = Number(HH) < 12 ? 'am' : 'pm'
  const ofMonth = { MM, M: short(MM) }
  const ofDay = { DD, D: short(DD) }
  const parts = {
    YYYY,
    ...(order === 'dmy' ? { ...ofDay, ...ofMonth } : { ...ofMonth, ...ofDay }),
    ...(isHalved
      ? { hh: ofTwelve.padStart(2, '0'), h: ofTwelve, A: half.toUpperCase(), a: half }
      : { HH, H: short(HH) }),
    ...{ mm, ss, YY: YYYY.slice(2), YYYYMMDD: YYYY + MM + DD, HHmmss: HH + mm + ss },
    ...Object.fromEntries(names.map(([field, { format }]) => [field, format(at)])),
  }
  const fraction = String(wall % second).padStart(9, '0')
  for (let digits = 1; digits <= 9; digits += 1)
    Object.assign(parts, { ['S'.repeat(digits)]: fraction.slice(0, digits) })
  return Object.entries(parts)
}

/** The meaning of a part: month and day occur once, in any form. */
const kindOf = (part: string): string | undefined =>
  part.startsWith('{')
    ? /^.(?:h|Y{4}M)/.test(part)
      ? part.slice(1, 2).toUpperCase()
      : part[1]
    : undefined
