import { describe, expect, test } from 'vitest'
import { brokenIn, runClauses } from './prove.ts'
import { sampled } from './prove-area.ts'
import { type ClockVariant, judges, late, lateJudges, usual, variants } from './variants/clocks.ts'

/** Nothing is condemned, and every must and should is decided that a service with our clock decides. */
const proveClocks = (list: ClockVariant[], by: string[]) =>
  test.each(sampled(list))('$name', { retry: 1 }, async ({ says, ...bent }) => {
    const checked = await runClauses({ ...usual, ...bent }, by)
    expect(brokenIn(checked), checked.output).toEqual([])
    expect(checked.exitCode, checked.output).toBe(0)
    expect(checked.report?.notices.join('\n')).toContain(says)
    const unchecked = (checked.report?.clauses ?? []).filter(
      ({ verdict, level }) => verdict === 'skip' && level !== 'observe',
    )
    // Events of one season alone do not show the offset of the other, nor the few updates of these
    // clauses what is usual.
    const lacking = ['export.timezone.offset', 'export.timezone.pdf.seasons', 'audit.as-often']
    const ids = unchecked.map(({ id }) => id).filter((id) => !lacking.includes(id))
    expect(ids).toEqual([])
  })

describe('a service with another clock is checked as far as any:', () => {
  proveClocks(variants, judges)
  proveClocks(late, lateJudges)
})
