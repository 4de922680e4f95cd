import { distinct } from '../../../engine/distinct.ts'
import { dateIn, type Order, type ShownDate, second } from '../../../engine/files/dates.ts'

/**
 * The form of dates, with parts in braces: "{YYYY}-{MM}-{DD}T{HH}:{mm}:{ss}{Z}". Undefined: there is no
 * common or known form.
 */
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

/** What each part of a text may mean, the likeliest first; undefined if it is not a date. */
function partsIn(text: string, order: Order): string[][] | undefined {
  const shown = dateIn(text, order)
  if (!shown) return undefined
  if (order === 'epoch') return [[`{${epochs[text.split('.')[0]?.length ?? 0] ?? 'epoch'}}`]]
  // With this many digits, or with all there are.
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

function zoneIn(text: string, { offset }: ShownDate): { rest: string; form: string } {
  // Some write the name of the zone behind its offset.
  const [named] = /(?<=[+\u2212-]\d{2}:?(?:\d{2})?|Z)\[(?:UTC|GMT|Etc\/UTC)\]$/.exec(text) ?? []
  if (named !== undefined) {
    const { rest, form } = zoneIn(text.slice(0, -named.length), { wall: 0n, offset })
    return { rest, form: `${form}[{zone}]` }
  }
  const [found, space = '', sign, colon, minutes, name] =
    /(\s?)(?:(?:Z|[+\u2212-]()\d{2}(?:(:?)(\d{2}))?)|(UTC|GMT|\[?Etc\/UTC\]?))$/.exec(text) ?? []
  if (found === undefined || (offset === undefined && name === undefined))
    return { rest: text, form: '' }
  const rest = text.slice(0, -found.length)
  if (name !== undefined) return { rest, form: `${space}{zone}` }
  if (sign === undefined) return { rest, form: `${space}{Z}` }
  const form = minutes === undefined ? '+HH' : colon ? '+HH:MM' : '+HHMM'
  return { rest, form: `${space}{${form}}` }
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const two = (value: number) => String(value).padStart(2, '0')

/** Each part of a date in each form, padded forms first; hours up to twelve where am or pm is shown. */
function partsOf({ wall }: ShownDate, order: Order, isHalved: boolean): [string, string][] {
  const at = new Date(Number(wall / 1_000_000n))
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
  const [hours, minutes, seconds] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
  const fraction = String(wall % second).padStart(9, '0')
  const [monthName = '', weekday = ''] = [months[month - 1], weekdays[at.getUTCDay()]]
  const half = hours < 12 ? 'AM' : 'PM'
  const ofMonth = { MM: two(month), M: String(month) }
  const ofDay = { DD: two(day), D: String(day) }
  const ofHour = isHalved
    ? { hh: two(hours % 12 || 12), h: String(hours % 12 || 12), A: half, a: half.toLowerCase() }
    : { HH: two(hours), H: String(hours) }
  const parts = {
    YYYY: String(year),
    ...(order === 'dmy' ? { ...ofDay, ...ofMonth } : { ...ofMonth, ...ofDay }),
    ...ofHour,
    mm: two(minutes),
    ss: two(seconds),
    YY: two(year % 100),
    YYYYMMDD: `${year}${two(month)}${two(day)}`,
    HHmmss: `${two(hours)}${two(minutes)}${two(seconds)}`,
    MMMM: monthName,
    MMM: monthName.slice(0, 3),
    dddd: weekday,
    ddd: weekday.slice(0, 3),
  }
  const fractions = Array.from({ length: 9 }, (_, n): [string, string] => [
    'S'.repeat(n + 1),
    fraction.slice(0, n + 1),
  ])
  return [
    ...Object.entries(parts),
    ...(month === 9 ? [['MMM', 'Sept'] as [string, string]] : []),
    ...fractions,
  ]
}

/** The meaning of a part: month and day occur once, in any form. */
const kindOf = (part: string): string | undefined =>
  part.startsWith('{')
    ? /^.(?:h|Y{4}M)/.test(part)
      ? part.slice(1, 2).toUpperCase()
      : part[1]
    : undefined
