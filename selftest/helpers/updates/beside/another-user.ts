import { setTimeout as sleep } from 'node:timers/promises'
import { randomFor } from '../../../../engine/random.ts'
import { updatePath } from '../../../../helpers/service/operations.ts'
import { unassignBody, updateBody } from '../../../../helpers/service/update-request.ts'
import type { Lent } from '../../loans/lent-service.ts'

const dispatcher = 'aaaaaaaa-1111-4222-8333-444444444444'

/** Somebody in the office, who changes each of these tasks every two to five seconds, until it is stopped. */
export function workBeside(
  { fetch, baseUrl, apiKey, userIds }: Pick<Lent, 'fetch' | 'baseUrl' | 'apiKey' | 'userIds'>,
  taskIds: readonly string[],
  seed: number,
): () => void {
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
  return () => stop.abort()
}
