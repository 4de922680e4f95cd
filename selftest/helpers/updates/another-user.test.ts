import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../../engine/random.ts'
import { isOwed } from '../../../engine/run/report.ts'
import { updatePath } from '../../../helpers/service/operations.ts'
import { unassignBody, updateBody } from '../../../helpers/service/update-request.ts'
import { check } from '../../../program/check.ts'
import { createInterruption } from '../../../program/run/interruption.ts'
import { atTestEnd } from '../../test-end.ts'
import { type Lent, lendService } from '../loans/lent-service.ts'

const dispatcher = 'aaaaaaaa-1111-4222-8333-444444444444'

/** Somebody in the office, who changes each of these tasks every two to five seconds. */
function workBeside(
  { fetch, baseUrl, apiKey, userIds }: Lent,
  taskIds: readonly string[],
  seed: number,
) {
  const random = randomFor(seed, 'somebody in the office')
  const stop = new AbortController()
  const change = async (id: string) => {
    const headers = { apikey: apiKey, 'content-type': 'application/json' }
    const read = await fetch(new Request(`${baseUrl}/tasks/${id}`, { headers }))
    const { updated_at, assignment } = (await read.json()) as {
      updated_at: string
      assignment: unknown
    }
    const to = { id: random.helpers.arrayElement(userIds), type: 'USER' as const }
    const body =
      assignment && random.datatype.boolean()
        ? unassignBody(dispatcher)
        : updateBody(dispatcher, to, random.lorem.sentence())
    const url = `${baseUrl}${updatePath(id)}`
    await fetch(
      new Request(url, {
        method: 'PUT',
        headers: { ...headers, 'if-match': updated_at },
        body: JSON.stringify(body),
      }),
    )
  }
  for (const id of taskIds)
    void (async () => {
      while (!stop.signal.aborted) {
        await sleep(random.number.int({ min: 2000, max: 5000 }))
        if (!stop.signal.aborted) await change(id)
      }
    })()
  atTestEnd(() => stop.abort())
}

/** SEEDS=1,2,3 tries more of them. */
const seeds = (process.env.SEEDS ?? '1').split(',').map(Number)

describe.concurrent('beside somebody who changes each of six tasks every two to five seconds', () => {
  test.for(seeds)('nothing is held against the service (seed %i)', async (seed) => {
    const lent = await lendService()
    const taskIds = lent.taskIds.slice(0, 6)
    workBeside(lent, taskIds, seed)
    let output = ''
    const { report, exitCode } = await check({
      argv: ['--seed', `${seed}`],
      env: { ...lent.env, SETTLE_MS: '2000', TASK_IDS: taskIds.join(), AUDIT_WAIT_S: '5' },
      cwd: lent.place,
      out: { write: (text: string) => (output += text) },
      interruption: createInterruption(),
    })
    const held = report?.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    expect(held?.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
    const lost = report?.clauses.filter(({ verdict }) => verdict === 'inconclusive') ?? []
    for (const { reason } of lost) expect(reason).toMatch(/somebody else/)
    expect(report?.residue.filter(isOwed)).toEqual([])
    expect(exitCode, output).toBe(lost.some(({ level }) => level === 'must') ? 3 : 0)
  })
})
