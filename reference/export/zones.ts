const formats = new Map<string, Intl.DateTimeFormat>()
const offsetsOfDays = new Map<string, Map<number, number>>()

export function isZone(name: string): boolean {
  // Intl also accepts offsets such as +02:00 as zones.
  if (!/^[a-z]/i.test(name)) return false
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}

/** Creates a function from an instant to the zone's offset in minutes. */
export function offsetsOf(zone: string): (instant: string) => number {
  if (zone === 'UTC') return () => 0
  const format = formatOf(zone)
  const offsetAt = (milliseconds: number): number => {
    const utc = Math.floor(milliseconds / 60_000) * 60_000
    const { year, month, day, hour, minute } = Object.fromEntries(
      format.formatToParts(utc).map(({ type, value }) => [type, Number(value)]),
    ) as Record<string, number>
    const local = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute)
    return (local - utc) / 60_000
  }
  // Formatting is slow: a day that begins and ends with one offset is cached.
  const days = offsetsOfDays.get(zone) ?? new Map<number, number>()
  offsetsOfDays.set(zone, days)
  const offsetOfDay = (day: number): number => {
    const known = days.get(day) ?? offsetAt(day * 86_400_000)
    days.set(day, known)
    return known
  }
  return (instant) => {
    const milliseconds = Date.parse(`${instant.slice(0, 23)}Z`)
    const day = Math.floor(milliseconds / 86_400_000)
    const offset = offsetOfDay(day)
    return offset === offsetOfDay(day + 1) ? offset : offsetAt(milliseconds)
  }
}

/** The wall clock at an instant with this offset in minutes: nine fraction digits, no zone. */
export const wallClock = (instant: string, offset: number): string => {
  if (offset === 0) return instant.slice(0, 29)
  const local = new Date(Date.parse(`${instant.slice(0, 19)}Z`) + offset * 60_000)
  return `${local.toISOString().slice(0, 19)}${instant.slice(19, 29)}`
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  formats.set(zone, known)
  return known
}
