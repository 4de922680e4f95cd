// The service's clock and the many legal spellings of an ISO 8601 UTC datetime.

export type StampStyle =
  | 'nano'
  | 'offset'
  | 'seconds'
  | 'centi'
  | 'basic'
  | 'hour-offset'
  | 'comma'
  | 'week'
  | 'minute'

const CLOCK_AHEAD_MS = 700
const NS_PER_MS = 1_000_000n
const NS_PER_S = 1_000_000_000n

/** Legal: the contract never says that the clocks of caller and service agree. */
export function serviceNow(): number {
  return Date.now() + CLOCK_AHEAD_MS
}

export function spell(ms: number, style: StampStyle): string {
  return spellNs(BigInt(Math.round(ms)) * NS_PER_MS, style)
}

/**
 * A version text that this task never had before. `behindMs` is the delay of the node that takes
 * the write; legal: a new updated_at is promised, a later one is not.
 */
export function nextVersion(used: Set<string>, style: StampStyle, behindMs: number): string {
  const step = style === 'seconds' ? NS_PER_S : style === 'centi' ? 10n * NS_PER_MS : 1000n
  let ns = BigInt(serviceNow() - behindMs) * NS_PER_MS + BigInt(Math.floor(Math.random() * 1e6))
  let text = spellNs(ns, style)
  while (used.has(text)) {
    ns += step
    text = spellNs(ns, style)
  }
  used.add(text)
  return text
}

function spellNs(ns: bigint, style: StampStyle): string {
  const date = new Date(Number(ns / NS_PER_MS))
  const iso = date.toISOString()
  const day = iso.slice(0, 10)
  const time = iso.slice(11, 19)
  const fraction = String(ns % NS_PER_S).padStart(9, '0')
  switch (style) {
    case 'nano': {
      // groups of three digits, empty groups left out, as some runtimes print an instant
      const trimmed = fraction.replace(/(000){1,3}$/, '')
      return `${day}T${time}${trimmed === '' ? '' : `.${trimmed}`}Z`
    }
    case 'offset':
      return `${day}T${time}.${fraction.slice(0, 6)}+00:00`
    case 'seconds':
      return `${day}T${time}Z`
    case 'centi':
      return `${day}T${time}.${fraction.slice(0, 2)}Z`
    case 'basic':
      return `${day.replaceAll('-', '')}T${time.replaceAll(':', '')}Z`
    case 'hour-offset':
      return `${day}T${time}.${fraction.slice(0, 1)}+00`
    case 'comma':
      return `${day}T${time},${fraction.slice(0, 3)}Z`
    case 'week':
      return `${weekDate(date)}T${time}Z`
    case 'minute':
      return `${day}T${time.slice(0, 5)}Z`
  }
}

function weekDate(date: Date): string {
  const weekday = date.getUTCDay() === 0 ? 7 : date.getUTCDay()
  const dayMs = 86_400_000
  const midnight = Math.floor(date.getTime() / dayMs) * dayMs
  // the ISO year of a week is the year of its Thursday
  const thursday = midnight + (4 - weekday) * dayMs
  const year = new Date(thursday).getUTCFullYear()
  const week = Math.floor((thursday - Date.UTC(year, 0, 1)) / dayMs / 7) + 1
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}-${weekday}`
}
