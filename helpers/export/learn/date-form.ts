import { distinct } from '../../../engine/distinct.ts'
import { dateIn, type Order, type ShownDate, second } from '../../../engine/files/dates.ts'

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
  // With this many digits, or with all digits that there are.
  if (order === 'days') return [[`{days.${text.split(/[.,]/)[1]?.length ?? 0}}`, '{days}']]
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
