import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../helpers/settings/settings.ts'
import { listen } from '../reference/listen.ts'
import { createService, type Service } from '../reference/service.ts'
import { makeWorld, type World } from '../reference/world.ts'

/** Starts the embedded service, and gives the settings under which it is tested. */
export async function startEmbedded(
  settings: Settings,
  service: Service = createService({ world: makeWorld(settings.seed) }),
): Promise<{ settings: Settings; world: World; close(): Promise<void> }> {
  const { baseUrl, close } = await listen(service)
  // It ends with the run, and so does whatever would have to be put back there.
  const journalDir = mkdtempSync(join(tmpdir(), 'contract-journal-'))
  return {
    settings: { ...settings, baseUrl, ...handedOver(service), journalDir },
    world: service.world,
    close: async () => {
      rmSync(journalDir, { recursive: true, force: true })
      await close()
    },
  }
}

/** What somebody who lends their staging would hand over of a reference service's world. */
export function handedOver({ world }: Service) {
  const taskIds = world.tasks.map(({ id }) => id)
  const userIds = world.users.map(({ id }) => id)
  return {
    apiKey: world.apiKey,
    taskIds: taskIds.slice(0, 12),
    readTaskIds: taskIds.slice(12),
    assessmentIds: world.assessments.map(({ id }) => id),
    actorId: userIds[0],
    userIds: userIds.slice(1, 4),
    teamIds: world.teams.map(({ id }) => id),
  }
}
