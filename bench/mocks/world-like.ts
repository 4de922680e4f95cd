import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readWorld, type WorldFile } from '../../program/input/world-file.ts'
import { createResettable } from '../../program/stand-in/kept-state.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import type { Mock } from './mocks.ts'

export type ReadWorld = ReturnType<typeof readWorld>

/** The world of a service with the key, people, tasks and assessments of a mock, as it shows them. */
export async function worldLike(
  { settings }: Mock,
  baseUrl: string,
  file: string,
): Promise<ReadWorld> {
  const { API_KEY = '', ACTOR_ID, TASK_IDS, READ_TASK_IDS, ASSESSMENT_IDS, TEAM_IDS } = settings
  const headers = { apikey: API_KEY }
  const read = async (path: string) => (await fetch(`${baseUrl}/${path}`, { headers })).json()
  const all = (path: string, ids: string[]) => Promise.all(ids.map((id) => read(`${path}/${id}`)))
  const users = listed(ACTOR_ID, settings.USER_IDS).map((id, at) => ({
    id,
    name: `Person ${at}`,
    mail: `person${at}@mail.example`,
  }))
  const memberIds = users.slice(0, 1).map(({ id }) => id)
  const own = createResettable(() => createService({ world: makeWorld(1, { events: 24 }) })).state()
  const world: WorldFile = {
    ...own,
    apiKey: API_KEY,
    users,
    teams: listed(TEAM_IDS).map((id) => ({ id, name: `Team ${id}`, memberIds })),
    tasks: (await all('tasks', listed(TASK_IDS, READ_TASK_IDS))) as WorldFile['tasks'],
    assessments: (await all('assessments', listed(ASSESSMENT_IDS))) as WorldFile['assessments'],
  }
  writeFileSync(file, JSON.stringify(world))
  return readWorld(file, dirname(file))
}

const listed = (...ids: (string | undefined)[]) =>
  ids.flatMap((each) => each?.split(',').filter(Boolean) ?? [])
