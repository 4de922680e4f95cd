import type { DateShown } from '../../rules/open-export.ts'
import type { Aspect } from '../aspect.ts'
import { shown } from '../seen.ts'

/** How dates are written in files. */
export const dates: Aspect = {
  of: ['export.dates'],
  rules(seen) {
    const id = 'export.dates'
    const forms = Object.values(seen.members(id))
    const [form] = forms
    if (form === undefined) return {}
    if (typeof form !== 'string' || !isWritable(form)) {
      seen.unclear(id, `saw ${shown(form)}, which this service cannot write`)
      return {}
    }
    if (forms.some((other) => other !== form))
      seen.unclear(id, `saw ${forms.map(shown).join(' and ')}; the first is used`)
    seen.assume('a PDF writes dates as a CSV does')
    return { open: { dateForm: (date) => written(form, date) } }
  },
}

const field = /\{([^{}]+)\}/g

const isWritable = (form: string) => {
  const fields = [...form.matchAll(field)].map(([, name = '']) => name)
  return fields.length > 0 && fields.every((name) => name in writers)
}

const written = (form: string, date: DateShown): string =>
  form.replace(field, (_, name: string) => writers[name]?.(date) ?? '')

type Write = (date: DateShown) => string

const plain = (digits: string) => String(Number(digits))
const ofTwelve = ({ local }: DateShown) => String(Number(local.slice(11, 13)) % 12 || 12)
const half = ({ local }: DateShown) => (Number(local.slice(11, 13)) < 12 ? 'AM' : 'PM')
const two = (value: number) => String(Math.trunc(value)).padStart(2, '0')

const offsetWith =
  (between: string): Write =>
  ({ offset }) => {
    const minutes = Math.abs(offset)
    return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}${between}${two(minutes % 60)}`
  }

const named =
  (options: Intl.DateTimeFormatOptions): Write =>
  ({ local }) =>
    new Date(`${local.slice(0, 19)}Z`).toLocaleString('en', { ...options, timeZone: 'UTC' })

/** The instant as a count since 1970, of which that many digits are left out. */
const since1970 =
  (leftOut: number): Write =>
  ({ instant }) => {
    const seconds = Date.parse(`${instant.slice(0, 19)}Z`) / 1000
    const digits = `${seconds}${instant.slice(20, 29)}`
    return digits.slice(0, digits.length - leftOut)
  }

const dayMs = 86_400_000
/** Days between 30 December 1899, from which spreadsheets count, and 1970. */
const daysTo1970 = 25_569

/** Days of the wall clock, as spreadsheets count them, to so many digits. */
const daysTo =
  (digits: number): Write =>
  ({ local }) =>
    (Date.parse(`${local.slice(0, 23)}Z`) / dayMs + daysTo1970).toFixed(digits)

/** What stands for each part of a form. */
const writers: Record<string, Write> = {
  YYYY: ({ local }) => local.slice(0, 4),
  YY: ({ local }) => local.slice(2, 4),
  MM: ({ local }) => local.slice(5, 7),
  M: ({ local }) => plain(local.slice(5, 7)),
  MMM: named({ month: 'short' }),
  MMMM: named({ month: 'long' }),
  DD: ({ local }) => local.slice(8, 10),
  D: ({ local }) => plain(local.slice(8, 10)),
  ddd: named({ weekday: 'short' }),
  dddd: named({ weekday: 'long' }),
  HH: ({ local }) => local.slice(11, 13),
  H: ({ local }) => plain(local.slice(11, 13)),
  hh: (date) => ofTwelve(date).padStart(2, '0'),
  h: ofTwelve,
  A: half,
  a: (date) => half(date).toLowerCase(),
  mm: ({ local }) => local.slice(14, 16),
  ss: ({ local }) => local.slice(17, 19),
  YYYYMMDD: ({ local }) => local.slice(0, 10).replaceAll('-', ''),
  HHmmss: ({ local }) => local.slice(11, 19).replaceAll(':', ''),
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, n): [string, Write] => [
      'S'.repeat(n + 1),
      ({ local }) => local.slice(20, 21 + n),
    ]),
  ),
  Z: (date) => (date.offset === 0 ? 'Z' : offsetWith(':')(date)),
  '+HH:MM': offsetWith(':'),
  '+HHMM': offsetWith(''),
  '+HH': (date) => offsetWith('')(date).slice(0, 3),
  zone: ({ zone }) => zone,
  s: since1970(9),
  ms: since1970(6),
  us: since1970(3),
  ns: since1970(0),
  days: (date) => String(Number(daysTo(10)(date))),
  ...Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`days.${n}`, daysTo(n)])),
}
