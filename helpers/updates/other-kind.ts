import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Service } from '../service/service.ts'
import { wrongVersions } from '../service/wrong-versions.ts'
import type { RefusedUpdates } from './refused-updates.ts'
import { aYearAhead } from './versions.ts'

/**
 * The answer to an update by the id of an assessment, which no task is read by. A task that it finds
 * all the same was not lent to us: it is sent only where such an If-Match is seen to be refused.
 */
export async function updateByAssessment(
  id: string | undefined,
  {
    service,
    refusedUpdates,
    body,
  }: { service: Service; refusedUpdates: RefusedUpdates; body: unknown },
): Promise<Answer | undefined> {
  if (id === undefined || (await service.readTask(id)).status !== 404) return undefined
  if ((await statusOf(refusedUpdates)) !== 409) return undefined
  const answer = await service.put(id, wrongVersions.future(new Date().toISOString()), body)
  return answer.status === 403 ? undefined : answer
}

async function statusOf(refusedUpdates: RefusedUpdates): Promise<number | undefined> {
  try {
    return (await refusedUpdates.try(aYearAhead)).answer.status
  } catch (error) {
    if (error instanceof NotDecidable) return undefined
    throw error
  }
}
