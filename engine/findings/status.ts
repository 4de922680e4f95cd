import { describeAnswer, type Head, headOf } from '../head.ts'
import { inContext } from './context.ts'
import type { Context, DueStatus, Kind, Words } from './kind.ts'

/** An answer has another status than it has to have. */
export type StatusFinding = Context & {
  kind: 'status'
  wanted: DueStatus
  of: Head
  /** of several answers, the statuses that came; then `to` says to which requests */
  all?: number[]
}

type More = Context & Pick<StatusFinding, 'all'>

export const statusFinding = (of: Head, wanted: DueStatus, more: More = {}): StatusFinding => ({
  kind: 'status',
  wanted,
  of: headOf(of),
  ...more,
})

export function hasStatus({ status }: Pick<Head, 'status'>, wanted: DueStatus): boolean {
  if (wanted === '2xx') return status >= 200 && status < 300
  if (wanted === '4xx') return status >= 400 && status < 500
  return typeof wanted === 'number' ? status === wanted : status !== wanted.not
}

/** Then the request has a mistake, and without it the service accepts it. */
export const isRejectionDue = (due: DueStatus | undefined): boolean =>
  due === '4xx' || (typeof due === 'number' && due >= 400 && due < 500)

export const status: Kind<StatusFinding> = {
  wordsOf: (finding) => ({
    sentence: sentenceOf(finding),
    expected: describeDue(finding.wanted),
    got: finding.all?.join(', ') ?? String(finding.of.status),
  }),
  againOf: ({ wanted }) => ({ due: wanted }),
}

function sentenceOf({ wanted, of, all, to, ...context }: StatusFinding): Words['sentence'] {
  const answer = all ? `the service responded ${all.join(', ')}` : describeAnswer(of)
  const due = typeof wanted === 'object' ? '' : `, not ${wanted}`
  const request = to ? `${due && ','} ${to}` : ''
  return inContext(`${answer}${due}${request}`, context)
}

/** By what one cause is recognised: the status that is due, and the one that comes. */
export const keyOfStatus = (wanted: DueStatus, got: number | string): string =>
  `${describeDue(wanted)} as ${got}`

export const describeDue = (due: DueStatus): string =>
  typeof due === 'object' ? `any status but ${due.not}` : String(due)
