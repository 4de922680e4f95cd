import { hour, minute } from './dates.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** How far a zone is from UTC at an instant, in nanoseconds. */
export function offsetAt(zone: string, instant: bigint): bigint {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  const name = format
    .formatToParts(Number(instant / 1_000_000n))
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name ?? '') ?? []
  const offset = BigInt(hours) * hour + BigInt(minutes) * minute
  return sign === '-' ? -offset : offset
}
