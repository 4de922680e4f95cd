import { describeAnswer, type Head, headOf } from '../head.ts'
import type { Context, DueStatus, Kind } from './kind.ts'

/** An answer has another status than it has to have. */
export type StatusFinding = Context & {
  kind: 'status'
  wanted: DueStatus
  of: Head
}

export const statusFinding = (
  of: Head,
  wanted: DueStatus,
  context: Context = {},
): StatusFinding => ({ kind: 'status', wanted, of: headOf(of), ...context })

export function hasStatus({ status }: Pick<Head, 'status'>, wanted: DueStatus): boolean {
  if (wanted === '2xx') return status >= 200 && status < 300
  if (wanted === '4xx') return status >= 400 && status < 500
  return status === wanted
}

export const status: Kind<StatusFinding> = {
  wordsOf({ wanted, of, what, to, although, more = '' }) {
    const begin = what ? `${what}: ` : ''
    const request = to ? `, ${to}` : ''
    const end = although ? `, although ${although}` : ''
    return {
      sentence: `${begin}${describeAnswer(of)}, not ${wanted}${request}${end}${more}`,
      expected: String(wanted),
      got: String(of.status),
    }
  },
}
