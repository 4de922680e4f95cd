import { setTimeout } from 'node:timers/promises'
import { settingsFor } from '../../../program/stand-in/settings-for.ts'
import { listen } from '../../../reference/listen.ts'
import { open } from '../../../reference/rules/open.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import type { Bent } from '../../proofs/fault.ts'
import { runProgram } from '../../proofs/prove.ts'

type Manner = {
  tasks: number
  clauses: string
  env?: Record<string, string>
  /** how late every answer is, so that the run lasts longer than what it looks for */
  delayMs?: number
}

/** Runs the clauses on updates against a bent reference service that lends so many tasks. */
export async function runOnTasks(
  bent: Pick<Bent, 'stated' | 'open'>,
  { tasks, clauses, env = {}, delayMs = 0 }: Manner,
) {
  const service = createService({
    world: makeWorld(1, { events: 200 }),
    stated: { ...stated, ...bent.stated },
    open: { ...open, ...bent.open },
  })
  const slow: typeof service.fetch = async (...asked) => {
    await setTimeout(delayMs)
    return service.fetch(...asked)
  }
  const { baseUrl, close } = await listen(delayMs > 0 ? { ...service, fetch: slow } : service)
  const { apiKey, taskIds, readTaskIds, actorId = '', userIds, teamIds } = settingsFor(service)
  const given = {
    BASE_URL: baseUrl,
    API_KEY: apiKey,
    TASK_IDS: taskIds.slice(0, tasks).join(),
    READ_TASK_IDS: readTaskIds.join(),
    ACTOR_ID: actorId,
    USER_IDS: userIds.join(),
    TEAM_IDS: teamIds.join(),
    SEED: '1',
  }
  return runProgram({ ...given, ...env }, ['--clauses', clauses], { makers: {} }).finally(close)
}
