import { detached } from './text-pool.ts'

export type ShownDate = {
  /** the wall clock as if in UTC, in nanoseconds since 1970 */
  wall: bigint
  /** minutes from UTC, where the text shows them */
  offset: number | undefined
}

const orders = ['ymd', 'dmy', 'mdy', 'epoch'] as const

/** The order of an all-numeric date; a column has one order. `epoch` counts seconds or finer since 1970. */
export type Order = (typeof orders)[number]
type OrderOfDay = Exclude<Order, 'epoch'>

export type DateReading = { order: Order; dates: ShownDate[] }

/** In nanoseconds, unlike those of Date. */
export const second = 1_000_000_000n
export const minute = 60n * second
export const hour = 60n * minute
export const day = 24n * hour
export const millisecond = second / 1000n
const centisecond = 10n * millisecond
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** several if day and month cannot be told apart */
export function readingsOf(texts: readonly string[]): DateReading[] {
  const readings = orders.flatMap((order) => readingIn(order, texts))
  const walls = readings.map(({ dates }) => dates.map(({ wall }) => wall).join())
  return readings.filter((_, at) => walls.indexOf(walls[at] as string) === at)
}

function readingIn(order: Order, texts: readonly string[]): DateReading[] {
  const dates: ShownDate[] = []
  for (const text of texts) {
    const shown = dateIn(text, order)
    if (!shown) return []
    dates.push(shown)
  }
  return dates.length === 0 ? [] : [{ order, dates }]
}

/** Without an offset it is read as UTC. */
export const instantOf = ({ wall, offset = 0 }: ShownDate): bigint => wall - BigInt(offset) * minute

/** Whether it is a tick of 1/300 s: some databases store times in ticks and show milliseconds. */
const isOfTicks = (instant: bigint) =>
  [0n, 3n, 7n].some((rest) => instant % centisecond === rest * millisecond)

export function unitOf(instants: readonly bigint[]): bigint {
  const fractions = Array.from({ length: 9 }, (_, digits) => 10n ** BigInt(8 - digits))
  const units = [day, hour, minute, second, ...fractions]
  if (instants.every(isOfTicks) && instants.some((instant) => instant % centisecond !== 0n))
    return centisecond
  return units.find((unit) => instants.every((instant) => instant % unit === 0n)) ?? 1n
}

export function isoOf(instant: bigint): string {
  const iso = new Date(Number(instant / 1_000_000n)).toISOString()
  const beyond = String(instant % 1_000_000n).padStart(6, '0')
  return `${iso.slice(0, 23)}${beyond.replace(/0+$/, '')}Z`
}

export function instantAt(iso: string): bigint {
  const [, fraction = ''] = /\.(\d{1,9})/.exec(iso) ?? []
  const seconds = BigInt(Date.parse(iso.replace(/\.\d+/, '')))
  return seconds * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

const clocks = [
  /(?<![\d:])(?<hours>\d{1,2})[:.h](?<minutes>\d{2})(?:[:.](?<seconds>\d{2})(?:[.,:](?<fraction>\d{1,9}))?)?(?![\d:])\s*(?:(?<half>[ap])\.?m\.?(?![a-z])|uhr\b)?/gi,
  /(?<=\dt)(?<hours>\d{2})(?<minutes>\d{2})(?:(?<seconds>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?!\d)/gi,
]
const zone =
  /^\s*\(?(?:(?:utc|gmt)?\s*(?<sign>[+\u2212-])(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?|(?<zero>z|utc|gmt))\)?(?:\s*\[[\w/+-]+\]|\s+(?:\([^)]*\)|[A-Z]{2,5}))?(?![\w/])/i
/** Zone names that do not contain their offset: CEST, or Europe/Berlin. */
const zoneName = /^\s*\(?(?:[A-Z]{2,5}|[A-Z][A-Za-z]+(?:\/[A-Z][\w+-]+)+)\)?(?![\w/])/
const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+/i

const readBy = new Map(orders.map((order) => [order, new Map<string, ShownDate | undefined>()]))
const maxRead = 10_000
const longest = 64

/** The date of a text that holds nothing else: date and time in either order, or a date alone. */
export function dateIn(text: string, order: Order): ShownDate | undefined {
  if (text.length > longest) return dateOf(text, order)
  // Cached: files of a run show the same dates again and again.
  const read = readBy.get(order) ?? new Map()
  if (read.has(text)) return read.get(text)
  if (read.size >= maxRead) read.clear()
  const date = dateOf(text, order)
  read.set(detached(text), date)
  return date
}

function dateOf(text: string, order: Order): ShownDate | undefined {
  if (order === 'epoch') return epochIn(text.trim())
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim().replace(weekday, '')
  if (plain.length > longest || !/\d/.test(plain)) return undefined
  const whole = dayIn(plain, order)
  if (whole !== undefined) return { wall: whole, offset: undefined }

  for (const time of clocks.flatMap((form) => [...plain.matchAll(form)])) {
    if (!time.groups) continue
    const behind = plain.slice(time.index + time[0].length)
    const zoneFound = zone.exec(behind)
    const zoneLength = (zoneFound ?? zoneName.exec(behind))?.[0].length ?? 0
    const rest = `${plain.slice(0, time.index)} ${behind.slice(zoneLength)}`
    const date = dayIn(rest.replace(/(?<=\d)t(?= )|,|\bat\b|\bon\b|\s-\s/gi, ' ').trim(), order)
    const ofDay = timeOf(time.groups)
    if (date === undefined || ofDay === undefined) continue
    return { wall: date + ofDay, offset: zoneFound?.groups && offsetOf(zoneFound.groups) }
  }
  return undefined
}

/** The unit of a count since 1970, by its number of digits in our time. */
const epochUnits: Record<number, bigint> = { 10: second, 13: second / 1000n, 16: 1000n, 19: 1n }

function epochIn(text: string): ShownDate | undefined {
  const [, whole = '', fraction = ''] = /^([12]\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? []
  const unit = epochUnits[whole.length]
  if (unit === undefined || (fraction !== '' && unit !== second)) return undefined
  return { wall: BigInt(whole) * unit + BigInt(fraction.padEnd(9, '0')), offset: 0 }
}

type Groups = Record<string, string | undefined>

function timeOf({ hours, minutes, seconds = '0', fraction = '', half }: Groups) {
  const shown = Number(hours)
  if (half && (shown < 1 || shown > 12)) return undefined
  const hourOfDay = half ? (shown % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : shown
  if (hourOfDay > 24 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return (
    BigInt(hourOfDay) * hour +
    BigInt(minutes ?? 0) * minute +
    BigInt(seconds) * second +
    BigInt(fraction.padEnd(9, '0'))
  )
}

function offsetOf({ zero, sign, hours = '0', minutes = '0' }: Groups): number {
  if (zero) return 0
  return (sign === '+' ? 1 : -1) * (Number(hours) * 60 + Number(minutes))
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const dayNumber = '(?<d>\\d{1,2})(?:st|nd|rd|th)?'

const named = [
  new RegExp(`^${dayNumber}[-\\s./]+${monthName}[-\\s./]+(?<y>\\d{4}|\\d{2})$`, 'i'),
  new RegExp(`^${monthName}[-\\s./]+${dayNumber}[-\\s./]+(?<y>\\d{4})$`, 'i'),
  new RegExp(`^(?<y>\\d{4})[-\\s./]+${monthName}[-\\s./]+${dayNumber}$`, 'i'),
]
const numbered: Record<OrderOfDay, RegExp[]> = {
  ymd: [
    /^(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})$/,
    /^(?<y>\d{4})(?<by>[-/.] ?)(?<m>\d{1,2})\k<by>(?<d>\d{1,2})\.?$/,
  ],
  dmy: [/^(?<d>\d{1,2})(?<by>[-/.])(?<m>\d{1,2})\k<by>(?<y>\d{4}|\d{2})$/],
  mdy: [/^(?<m>\d{1,2})(?<by>[-/.])(?<d>\d{1,2})\k<by>(?<y>\d{4}|\d{2})$/],
}

function dayIn(text: string, order: OrderOfDay): bigint | undefined {
  const plain = text.replace(/\s*,\s*/g, ' ').replace(weekday, '')
  for (const form of [...named, ...numbered[order]]) {
    const { name, y, m, d } = form.exec(plain)?.groups ?? {}
    if (y === undefined) continue
    const month = name ? months.indexOf(name.slice(0, 3).toLowerCase()) : Number(m) - 1
    const year = y.length === 2 ? 2000 + Number(y) : Number(y)
    const date = new Date(Date.UTC(year, month, Number(d)))
    // Date would read 30 February as 2 March.
    if (date.getUTCMonth() !== month) continue
    return BigInt(date.getTime()) * 1_000_000n
  }
  return undefined
}

const formats = new Map<string, Intl.DateTimeFormat>()

export function offsetAt(zone: string, instant: bigint): bigint {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  const shown = format.format(Number(instant / 1_000_000n))
  const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(shown) ?? []
  const offset = BigInt(hours) * hour + BigInt(minutes) * minute
  return sign === '-' ? -offset : offset
}
