import { settingsFor } from '../../../program/stand-in/settings-for.ts'
import { listen } from '../../../reference/listen.ts'
import { open } from '../../../reference/rules/open.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import type { Bent } from '../../proofs/fault.ts'
import { runProgram } from '../../proofs/prove.ts'

/** Runs the clauses on updates against a bent reference service that lends so many tasks. */
export async function runOnTasks(
  bent: Pick<Bent, 'stated' | 'open'>,
  { tasks, clauses, env = {} }: { tasks: number; clauses: string; env?: Record<string, string> },
) {
  const service = createService({
    world: makeWorld(1, { events: 200 }),
    stated: { ...stated, ...bent.stated },
    open: { ...open, ...bent.open },
  })
  const { baseUrl, close } = await listen(service)
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
