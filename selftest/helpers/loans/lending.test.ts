import { expect, test } from 'vitest'
import { settingsFor } from '../../../program/stand-in/settings-for.ts'
import { listen } from '../../../reference/listen.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { runProgram } from '../../proofs/prove.ts'
import { untilTestEnd } from '../../test-end.ts'

test('a task that goes while the run goes on is lent to nobody, and nothing is condemned', async () => {
  const world = makeWorld(1)
  const [gone] = world.tasks.filter(({ assignment }) => assignment === null)
  let reads = 0
  const service = createService({
    world,
    stated: {
      ...stated,
      taskFor: (call) => {
        // The first contact still finds it.
        if (call.id === gone?.id) reads += 1
        return call.id === gone?.id && reads > 1 ? undefined : stated.taskFor(call)
      },
    },
  })
  const { baseUrl } = untilTestEnd(await listen(service))

  const { apiKey, taskIds, actorId, userIds, teamIds } = settingsFor(service)
  const checked = await runProgram(
    {
      BASE_URL: baseUrl,
      API_KEY: apiKey,
      TASK_IDS: taskIds.join(),
      ACTOR_ID: actorId ?? '',
      USER_IDS: userIds.join(),
      TEAM_IDS: teamIds.join(),
      KEY_IN_QUERY: '1',
      SETTLE_MS: '60',
    },
    ['--clauses', 'auth.*,task.*,version.stale.*,assign.required.*'],
  )
  // A given id that is not there any more is for the operator to explain.
  expect(checked.exitCode, checked.output).toBe(3)
  const skipped = checked.report?.clauses.filter(
    ({ verdict, id }) =>
      verdict === 'skip' && !/wrong-region|ip-allow|^task.read.success$/.test(id),
  )
  expect(
    skipped
      ?.map(({ id, reason }) => `${id}: ${reason}`)
      .filter((each) => !/assessment|export/.test(each)),
  ).toEqual([])
})
