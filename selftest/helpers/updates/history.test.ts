import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { whyTooFew } from '../../../helpers/updates/history.ts'
import { runOnTheWire } from '../../program/counted-run.ts'
import { runAgainst } from '../../proofs/prove.ts'

const only = ['--clauses', 'version.history']

describe('a history that MAX_WRITES cuts short', () => {
  // Where none was accepted, and where some were: what was not sent is of no unknown fate.
  test.each([5, 14])('at %i updates clears nobody, and says what cut it', async (bound) => {
    const { report, exitCode } = await runOnTheWire(only, { MAX_WRITES: String(bound) })
    const [history] = report?.clauses ?? []
    expect([exitCode, history?.verdict, history?.reason]).toEqual([
      3,
      'inconclusive',
      `MAX_WRITES=${bound} is reached: no further update is sent`,
    ])
  })

  test('condemns by what it holds', async () => {
    const { report } = await runAgainst(
      { stated: { versionMatches: () => true }, env: { MAX_WRITES: '14' } },
      only,
    )
    const [history] = report?.clauses ?? []
    expect(history?.verdict).toBe('fail')
    expect(history?.reason).toMatch(/^\d+ updates with the same If-Match, .*, were all accepted/)
  })
})

describe('a history of too few accepted updates', () => {
  const asked = (...statuses: (number | undefined)[]) =>
    statuses.map((status) => ({ method: 'PUT', status }) as Exchange)

  test.each([[[500, 500]], [[undefined, 503]]])('is trouble where all failed: %j', (statuses) => {
    expect(() => whyTooFew('0 accepted', asked(...statuses))).toThrow(Trouble)
  })

  test('is not decided where they were refused', () => {
    expect(() => whyTooFew('1 accepted', asked(200, 409, undefined))).toThrow(NotDecidable)
  })
})
