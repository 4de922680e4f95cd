const wallClocks = new Map<string, Intl.DateTimeFormat>()

function wallClock(zone: string): Intl.DateTimeFormat {
  const known = wallClocks.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  })
  wallClocks.set(zone, made)
  return made
}

export function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    wallClock(zone)
    return true
  } catch {
    return false
  }
}

/** By how many minutes a zone is ahead of UTC at a moment. */
export function offsetOf(zone: string, ms: number): number {
  const part: Record<string, number> = {}
  for (const { type, value } of wallClock(zone).formatToParts(ms)) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  return Math.round((wall - Math.floor(ms / 1000) * 1000) / 60_000)
}

export function offsetText(minutes: number, between: string): string {
  const size = Math.abs(minutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${between}${two(size % 60)}`
}

const weekdays = new Map<string, Intl.DateTimeFormat>()

/** `Fri 2026-11-20 07:01:22.345 UTC+01:00`, the day of the week in the language asked for. */
export function momentText(ms: number, offset: number, locale: string): string {
  const local = new Date(ms + offset * 60_000)
  const names =
    weekdays.get(locale) ?? new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  weekdays.set(locale, names)
  const digits = local.toISOString().slice(0, 23).replace('T', ' ')
  return `${names.format(local)} ${digits} UTC${offsetText(offset, ':')}`
}
