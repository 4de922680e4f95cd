import { expect, test } from 'vitest'
import { runClauses } from '../../proofs/prove.ts'

test.each([
  ['pass', ['task.read.assignment', 'assign.persisted']],
  ['skip', ['task.read.assignment']],
])(
  'where no task was assigned, an assignment that the run made counts: %s',
  async (verdict, ids) => {
    const { report, output } = await runClauses({ held: () => null }, ids)
    const one = report?.clauses.find(({ id }) => id === 'task.read.assignment')
    expect(one, output).toMatchObject({ verdict })
  },
)
