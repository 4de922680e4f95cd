import { expect, test } from 'vitest'
import { inThread } from '../../../engine/run/clause-thread.ts'
import type { Runner } from '../../../engine/run/runner.ts'
import { runAgainst } from '../prove.ts'

const chosen = [
  'auth.missing-key.*,task.read.identity',
  'audit.assignment-recorded,task.read.not-found',
  'notify.user,limits.rate',
]

test('a reused thread gives the same as a new one', async () => {
  const run = async (globs: string, more: { runner?: Runner }) => {
    const { report } = await runAgainst({ events: 50 }, ['--clauses', globs], {
      makers: {},
      ...more,
    })
    return report?.clauses.map(({ id, verdict }) => `${id} ${verdict}`)
  }
  for (const globs of [...chosen, ...chosen])
    expect(await run(globs, {})).toEqual(await run(globs, { runner: inThread }))
})
