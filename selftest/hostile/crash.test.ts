import { describe, expect, test } from 'vitest'
import { lendService, start } from '../helpers/loans/lent-service.ts'
import { isLong } from '../long.ts'

const updates = ['--clauses', 'assign.user-to-user,assign.persisted,version.stale.assign']
const reported = 'the runner reported an error: '
const others: [string, string][] = [
  ['throws where nobody catches', `${reported}bent`],
  ['runs out of memory', `${reported}Worker terminated due to reaching memory limit`],
]

describe.concurrent('a run whose code', () => {
  // What nobody catches and what fills the memory end the thread too: `npm run long` tries them.
  test.for<[string, string]>([
    [
      'calls process.exit',
      `${reported}the thread of the clauses ended before they did, with code 1`,
    ],
    ['computes without end', 'the run took longer than RUN_TIMEOUT_S=5'],
    ['throws in the main thread', 'internal error of the suite: bent'],
    ...(isLong ? others : []),
  ])('%s still puts every task back, and says why it ended', async ([CRASH, why]) => {
    const lent = await lendService({ bent: { delay: () => 20 } })
    const NODE_OPTIONS = `--import=${new URL('crash.mjs', import.meta.url)} --max-old-space-size=300`
    // Filling the memory takes long beside other tests.
    const RUN_TIMEOUT_S = CRASH === 'computes without end' ? '5' : '200'
    const env = { ...lent.env, CRASH, NODE_OPTIONS, RUN_TIMEOUT_S }
    const { code, output } = await start('directly', 'check', env, updates).ended
    expect(await lent.changed(), output).toEqual([])
    expect(lent.journal(), output).toEqual([])
    expect(code, output).toBe(3)
    expect(lent.report()).toMatchObject({ verdict: 'inconclusive', residue: [] })
    expect(lent.report().reasons.join('\n')).toContain(why)
  })
})
