import { expect, test } from 'vitest'
import { runAgainst } from './prove.ts'

const chosen = [
  'auth.missing-key.*,task.read.identity',
  'audit.assignment-recorded,task.read.not-found',
  'notify.user,limits.rate',
]

test('a thread that is used again gives what a new one gives', async () => {
  const run = async (globs: string, more: { runner?: { pool: 'threads' } }) => {
    const { report } = await runAgainst({ events: 50 }, ['--clauses', globs], {
      makers: {},
      ...more,
    })
    return report?.clauses.map(({ id, verdict }) => `${id} ${verdict}`)
  }
  for (const globs of [...chosen, ...chosen])
    expect(await run(globs, {})).toEqual(await run(globs, { runner: { pool: 'threads' } }))
})
