import { describe, expect, test } from 'vitest'
import { check } from '../../../../program/check.ts'
import { createInterruption } from '../../../../program/run/interruption.ts'
import { faults } from '../../../proofs/faults/all.ts'
import { sampleOf } from '../../../sample.ts'
import { atTestEnd } from '../../../test-end.ts'
import { lendService } from '../../loans/lent-service.ts'
import { workBeside } from './another-user.ts'

/** Updates that are lost, reverted, crossed, or taken where they had to be refused. */
const names = [
  'updates are answered, and none is stored',
  'the comment is answered, and not stored',
  'the answer to an update is the task as it was before',
  'an update assigns another task too',
  'the version is not compared',
  'older versions are taken',
  'an update with a stale version is refused, and carried out all the same',
  'an update without If-Match is refused, and carried out all the same',
  'another update can come between comparing the version and storing the change',
  'simultaneous reassignments are not kept apart',
]

// BESIDE=10 npx vitest run selftest/helpers/updates/faults-beside tries them all.
const { BESIDE = '1', SEED = '1' } = process.env
const chosen = sampleOf(names, Number(BESIDE), Number(SEED))

describe.concurrent('beside somebody who changes each of six tasks every two to five seconds', () => {
  test.for(chosen)('it is not hidden that %s', async (name) => {
    const fault = faults.find((each) => each.name === name)
    expect(fault?.stated, name).toBeDefined()
    const lent = await lendService({ bent: fault?.open ?? {}, wrong: fault?.stated ?? {} })
    const taskIds = lent.taskIds.slice(0, 6)
    atTestEnd(workBeside(lent, taskIds, Number(SEED)))
    let output = ''
    const { report, exitCode } = await check({
      argv: ['--seed', SEED],
      env: { ...lent.env, SETTLE_MS: '2000', TASK_IDS: taskIds.join(), AUDIT_WAIT_S: '5' },
      cwd: lent.place,
      out: { write: (text: string) => (output += text) },
      interruption: createInterruption(),
    })
    const failed = report?.clauses.filter(({ verdict }) => verdict === 'fail') ?? []
    if (process.env.BESIDE)
      process.stdout.write(
        `| ${name} | ${exitCode} | ${failed.length} | ${failed[0]?.id ?? ''} |\n`,
      )
    expect([1, 3], output).toContain(exitCode)
  })
})
