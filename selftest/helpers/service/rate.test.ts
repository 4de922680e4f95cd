import { expect, test } from 'vitest'
import { runAgainst } from '../../proofs/prove.ts'

test('where nothing else is asked, nothing is said of rate limiting', async () => {
  const { report, output } = await runAgainst({ events: 100 }, ['--clauses', 'limits.rate'])
  const [rate] = report?.clauses ?? []
  expect([rate?.verdict, rate?.reason], output).toEqual(['skip', 'no other clause sent a request'])
})
