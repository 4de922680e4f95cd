import { handedOver } from '../program/embedded.ts'
import { listen } from '../reference/listen.ts'
import { createService } from '../reference/service.ts'
import { makeWorld, type World } from '../reference/world.ts'
import { runProgram } from './prove.ts'

/** What came to a service and what went out from it, counted there and not where it was sent. */
export type Wire = {
  requests: number
  /** by method */
  methods: Record<string, number>
  acceptedPuts: number
  mails: number
}

/** Runs the program against a reference service that is somebody's, and counts at the service. */
export async function runOnTheWire(
  argv: string[] = [],
  env: Record<string, string> = {},
  world: World = makeWorld(1),
) {
  const wire: Wire = { requests: 0, methods: {}, acceptedPuts: 0, mails: 0 }
  const service = createService({
    world,
    mailer: () => {
      wire.mails += 1
    },
  })
  const { baseUrl, close } = await listen({
    ...service,
    fetch: async (request, address) => {
      const { method } = request
      wire.requests += 1
      wire.methods[method] = (wire.methods[method] ?? 0) + 1
      const response = await service.fetch(request, address)
      if (method === 'PUT' && response.ok) wire.acceptedPuts += 1
      return response
    },
  })
  try {
    const settings = { BASE_URL: baseUrl, SEED: '1', SETTLE_MS: '60', ...settingsFor(world) }
    return { wire, ...(await runProgram({ ...settings, ...env }, argv)) }
  } finally {
    await close()
  }
}

/** The settings with which a reference world is lent to somebody. */
export function settingsFor(world: World): Record<string, string> {
  const given = handedOver({ world } as Parameters<typeof handedOver>[0])
  const members = (ids: string[]) =>
    world.users.filter(({ id }) => ids.includes(id)).map(({ mail }) => mail)
  return {
    API_KEY: given.apiKey,
    TASK_IDS: given.taskIds.join(),
    READ_TASK_IDS: given.readTaskIds.join(),
    ASSESSMENT_IDS: given.assessmentIds.join(),
    ACTOR_ID: given.actorId ?? '',
    USER_IDS: given.userIds.join(),
    TEAM_IDS: given.teamIds.join(),
    TEAM_MAILS: world.teams
      .map(({ id, memberIds }) => `${id}=${members(memberIds).join(';')}`)
      .join(),
  }
}
