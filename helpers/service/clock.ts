import { counted } from '../../engine/counted.ts'
import { isAccepted, isObject } from '../../engine/http/answers.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { parsed } from '../../engine/parsed.ts'
import { clock } from '../../engine/time/timers.ts'

/** in milliseconds, by each source of the time */
export type Ahead = {
  /** the header `Date`, which a gateway may write */
  date?: number
  updated?: number
}

/** Answers take a while, and well-kept clocks differ by some seconds. */
const slackMs = 5_000
/** Sources this close mean one clock: nothing here needs minutes. */
const alikeMs = 60_000

export function watchClock(known: Ahead = {}, learned: (ahead: Ahead) => void = () => {}) {
  const ahead: Ahead = { ...known }
  const learn = (witness: keyof Ahead, exchange: Exchange, text: unknown) => {
    const milliseconds = typeof text === 'string' ? aheadBy(exchange, text) : undefined
    if (milliseconds === undefined) return
    ahead[witness] = milliseconds
    learned({ [witness]: milliseconds })
  }
  return {
    see(exchange: Exchange) {
      const { base, headers, status } = exchange
      if (base !== undefined || status === undefined) return
      // A cache shows the time when it was filled.
      const isOwn = headers?.age === undefined
      if (ahead.date === undefined && isOwn) learn('date', exchange, headers?.date)
      if (ahead.updated !== undefined || exchange.method !== 'PUT' || !isAccepted({ status }))
        return
      const task = parsed(exchange.body ?? '')
      if (isObject(task)) learn('updated', exchange, task.updated_at)
    },
    ahead,
    /** a single one if the sources agree */
    times() {
      const { date = 0, updated = date } = ahead
      const isOne = Math.abs(date - updated) < alikeMs
      const now = clock.date()
      return (isOne ? [date] : [date, updated].sort((a, b) => a - b)).map((each) => now + each)
    },
  }
}

/** How far a time lies outside its exchange; a coarse time covers its whole unit. */
function aheadBy({ start, milliseconds }: Exchange, text: string) {
  const shown = Date.parse(text)
  if (Number.isNaN(shown)) return undefined
  const began = Date.parse(start)
  const early = shown + unitOf(text) - began
  const late = shown - (began + milliseconds)
  if (early < -slackMs) return early
  return late > slackMs ? late : 0
}

/** Without seconds, or with 00 alone, a time may be exact to the minute. */
const unitOf = (text: string) => (/T\d\d:\d\d(:00([.,]0*)?)?(Z|[+-]|$)/.test(text) ? 60_000 : 1000)

export function describeClock({ date, updated = date ?? 0 }: Ahead): string[] {
  if (!date && updated === 0) return []
  if (date !== undefined && Math.abs(date - updated) < alikeMs)
    return [
      `the service's clock is ${describeAhead(date || updated)}: exports use ranges by its clock`,
    ]
  const other =
    date === undefined ? 'no header Date shows it' : `${describeAhead(date)} by the header Date`
  return [
    `the service's clock is ${describeAhead(updated)} by the updated_at of an update, but ${other}; exports try ranges by both clocks`,
  ]
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

function describeAhead(milliseconds: number): string {
  const span = Math.abs(milliseconds)
  if (span === 0) return 'equal to ours'
  const [name, unit] = units.find(([, each]) => span >= 0.9 * each) ?? units[3]
  const count = Math.round(span / unit)
  return `${counted(count, name)} ${milliseconds < 0 ? 'behind' : 'ahead of'} ours`
}
