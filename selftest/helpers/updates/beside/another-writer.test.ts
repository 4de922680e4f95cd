import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../../../engine/random.ts'
import { createHistory } from '../../../../helpers/history/history.ts'
import { ForeignChange } from '../../../../helpers/loans/foreign-change.ts'
import { unassignBody, updateBody } from '../../../../helpers/service/update-request.ts'
import { createToken } from '../../../../helpers/updates/controls.ts'
import { brokenIn, runProgram } from '../../../proofs/prove.ts'
import { atTestEnd } from '../../../test-end.ts'
import { accepted, meeting, play } from '../../history/model.ts'
import { type Lent, lendService } from '../../loans/lent-service.ts'

const unnamed = /^the task changed meanwhile, although no accepted update of this run changed it$/

/** Another writer that assigns and unassigns the same tasks, as the contract tells callers to. */
function workOn({ update, taskIds, userIds, teamIds, actorId }: Lent, seed: number) {
  const random = randomFor(seed, 'another writer')
  const people = [
    ...userIds.map((id) => ({ id, type: 'USER' as const })),
    ...teamIds.map((id) => ({ id, type: 'TEAM' as const })),
  ]
  let stopped = false
  let changes = 0

  const change = async () => {
    const isAccepted = await update(random.helpers.arrayElement(taskIds), (assignment) =>
      assignment && random.datatype.boolean()
        ? unassignBody(String(actorId))
        : updateBody(String(actorId), random.helpers.arrayElement(people), random.lorem.sentence()),
    )
    if (isAccepted) changes += 1
  }
  const working = (async () => {
    while (!stopped) {
      await change()
      await sleep(random.number.int({ min: 5, max: 60 }))
    }
  })()
  return {
    async stop() {
      stopped = true
      await working
      return changes
    },
  }
}

describe.concurrent('beside another writer on the same tasks', () => {
  test.each([1, 2, 3])('the service is not condemned (seed %i)', async (seed) => {
    const lent = await lendService()
    const writer = workOn(lent, seed)
    atTestEnd(writer.stop)
    const env = { ...lent.env, SEED: String(seed), SETTLE_MS: '100' }
    const checked = await runProgram(env, ['--clauses', 'assign.*,version.*'])
    expect(await writer.stop()).toBeGreaterThan(20)
    expect(brokenIn(checked), checked.output).toEqual([])
    expect([0, 3], checked.output).toContain(checked.exitCode)
    const passed = checked.report?.clauses.filter(({ verdict }) => verdict === 'pass') ?? []
    expect(passed.length, checked.output).toBeGreaterThan(20)
  })
})

describe('the writer of a foreign change is', () => {
  const told = (assignment_comment?: string, history = createHistory()) =>
    new ForeignChange(history, { assignment_comment } as never).message

  test('another run of this suite, if a comment has its form, was not sent here, and comments come back unchanged', () => {
    const comment = createToken()
    const { history } = play([accepted()])
    expect(told(comment, history)).toContain('another run of this suite')
    const cut = play([accepted()], { kept: (each) => each.slice(0, 20) })
    expect(told(comment, cut.history)).toMatch(unnamed)
    history.begin({ kind: 'update', task: 't', body: { update: { assignment_comment: comment } } })
    expect(told(comment, history)).toMatch(unnamed)
  })

  test('another writer made a change if its comment is foreign, or missing in a run that saw another writer', () => {
    expect(told('please call back')).toContain('another writer')
    expect(told(undefined)).toMatch(unnamed)
    const { history } = play(meeting)
    expect(told(undefined, history)).toContain('another writer')
  })
})

test('reads that lag for longer than SETTLE_MS are named with what to set', async () => {
  const lent = await lendService({ bent: { readLag: () => 900 } })
  const env = { ...lent.env, SETTLE_MS: '200' }
  const { report, output } = await runProgram(env, ['--clauses', 'assign.persisted'])
  expect(report?.notices.join('\n'), output).toMatch(
    /SETTLE_MS=200 may be too short.*set SETTLE_MS=1000/,
  )
})
