import { dateIn, type Order, type ShownDate, second } from '../../../engine/files/dates.ts'

/**
 * The form of dates, with parts in braces: "{YYYY}-{MM}-{DD}T{HH}:{mm}:{ss}{Z}". Undefined: there is no
 * common or known form.
 */
export function formOf(texts: readonly string[], order: Order): string | undefined {
  let common: string[] | undefined
  for (const text of new Set(texts)) {
    const shown = dateIn(text, order)
    if (!shown) return undefined
    const own = formsOf(text, shown, order, common)
    common = common ? common.filter((form) => own.includes(form)) : own
    if (common.length === 0) return undefined
  }
  return common?.[0]
}

/** Every form that gives a text from the parts of its date, the likeliest first; limited to the parts in `only`. */
function formsOf(text: string, shown: ShownDate, order: Order, among?: string[]): string[] {
  if (order === 'epoch') return [`{${epochs[text.split('.')[0]?.length ?? 0] ?? 'epoch'}}`]
  // With this many digits, or with all there are.
  if (order === 'days') return [`{days.${text.split(/[.,]/)[1]?.length ?? 0}}`, '{days}']
  const zone = zoneIn(text, shown)
  const tokens = zone.rest.match(/\d+|\p{L}+|[^\d\p{L}]+/gu) ?? []
  const named = among?.join('')
  const parts = partsOf(shown).filter(([field]) => named?.includes(`{${field}}`) ?? true)
  return assigned(tokens, parts, [])
    .map((words) => `${words.join('')}${zone.form}`)
    .filter((form) => isInOrder(form, order) && isWholeClock(form))
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

type Parts = [field: string, text: string][]

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const two = (value: number) => String(value).padStart(2, '0')

/** Each part of a date in each form, padded forms first. */
function partsOf({ wall }: ShownDate): Parts {
  const at = new Date(Number(wall / 1_000_000n))
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
  const [hours, minutes, seconds] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
  const fraction = String(wall % second).padStart(9, '0')
  const [monthName = '', weekday = ''] = [months[month - 1], weekdays[at.getUTCDay()]]
  const half = hours < 12 ? 'AM' : 'PM'
  return [
    ['YYYY', String(year)],
    ['MM', two(month)],
    ['M', String(month)],
    ['DD', two(day)],
    ['D', String(day)],
    ['HH', two(hours)],
    ['H', String(hours)],
    ['hh', two(hours % 12 || 12)],
    ['h', String(hours % 12 || 12)],
    ['mm', two(minutes)],
    ['ss', two(seconds)],
    ['YY', two(year % 100)],
    ['YYYYMMDD', `${year}${two(month)}${two(day)}`],
    ['HHmmss', `${two(hours)}${two(minutes)}${two(seconds)}`],
    ['MMMM', monthName],
    ['MMM', monthName.slice(0, 3)],
    ...(month === 9 ? [['MMM', 'Sept'] as [string, string]] : []),
    ['dddd', weekday],
    ['ddd', weekday.slice(0, 3)],
    ['A', half],
    ['a', half.toLowerCase()],
    ...Array.from({ length: 9 }, (_, n): [string, string] => [
      'S'.repeat(n + 1),
      fraction.slice(0, n + 1),
    ]),
  ]
}

/** The meaning of a field: month and day occur once, in any form. */
const kindOf = (field: string) => ({ h: 'H', A: 'a', Y: 'Y' })[field[0] as string] ?? field[0]

/** The ways to read each token as a part of the date, each part once; an unknown word stays. */
function assigned(tokens: readonly string[], parts: Parts, before: string[]): string[][] {
  const [token, ...rest] = tokens
  if (token === undefined) return [[]]
  const used = new Set(before.map((word) => kindOf(word.slice(1))))
  const isFraction = /[.,:]$/.test(before.at(-1) ?? '') && used.has('s')
  const fields = parts
    .filter(([field, text]) => text === token && !used.has(kindOf(field)))
    .filter(([field]) => field[0] !== 'S' || isFraction)
    .map(([field]) => `{${field}}`)
  const words = fields.length > 0 || /\d/.test(token) ? fields : [token]
  return words.flatMap((word) =>
    assigned(rest, parts, [...before, word]).map((behind) => [word, ...behind]),
  )
}

/** A column of numbers has one order of day and month. */
function isInOrder(form: string, order: Order): boolean {
  const [day, month] = [form.indexOf('{D'), form.indexOf('{M')]
  if (order === 'ymd' || /\{MMM/.test(form)) return true
  return order === 'dmy' ? day < month : month < day
}

/** Hours up to twelve need am or pm; other hours exclude it. */
const isWholeClock = (form: string) => /\{h/.test(form) === /\{a\}/i.test(form)
