import { expect, test } from 'vitest'
import type { Bent } from '../../proofs/fault.ts'
import { runAgainst } from '../../proofs/prove.ts'

const clauses = 'audit.refused-not-recorded,notify.refused'
const env = { SETTLE_MS: '1500' }

async function seenOf(open: Bent['open']) {
  const { report, output, exitCode } = await runAgainst({ events: 200, env, open }, [
    '--clauses',
    `${clauses},version.stale.assign`,
  ])
  expect(exitCode, output).toBe(0)
  return Object.fromEntries(
    (report?.clauses ?? []).flatMap(({ id, observed }) => (observed ? [[id, observed]] : [])),
  )
}

test('what a refused update leaves long after it is found at the end of the run', async () => {
  const late = ({ refused }: { refused?: unknown }) => (refused ? 900 : 0)
  const leaving = { refusalLeaves: () => ['event', 'mail'] as ('event' | 'mail')[] }
  expect(await seenOf({ ...leaving, eventDelay: late, mailDelay: late })).toEqual({
    'audit.refused-not-recorded': 'some time later',
    'notify.refused': 'somebody, some time later',
  })
})

test('of a service that leaves nothing it says so', async () => {
  expect(await seenOf({})).toEqual({
    'audit.refused-not-recorded': 'none',
    'notify.refused': 'nobody',
  })
})
