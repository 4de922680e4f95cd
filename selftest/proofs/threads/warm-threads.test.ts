import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inThread } from '../../../engine/run/clause-thread.ts'
import type { Runner } from '../../../engine/run/runner.ts'
import { runAgainst } from '../prove.ts'
import { ofOneRun } from './warm-threads.ts'

const chosen = [
  'auth.missing-key.*,task.read.identity',
  'audit.assignment-recorded,task.read.not-found',
  'notify.user,limits.rate',
]

test('a reused thread of vitest gives the same as a new one of the program', async () => {
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

test('no file that each run loads anew exports a class that others test with instanceof', () => {
  const having = ofOneRun.filter((file) => /^export class /m.test(readFileSync(file, 'utf8')))
  expect(having.filter((file) => !file.includes('/engine/clause/'))).toEqual([])
})
