import type { Service } from '../../reference/service.ts'
import { makeWorld, type Task } from '../../reference/world/world.ts'

export const world = makeWorld(1)
export const [user, otherUser] = world.users.map(({ id }) => id) as [string, string]
export const team = world.teams[0]?.id as string
export const unknownId = '00000000-0000-4000-8000-000000000000'

export const base = 'http://reference/v5'
export const headers = { apikey: world.apiKey }

/** Calls a service with its key. */
export const get = (service: Service, path: string, sent: Record<string, string> = headers) =>
  service.fetch(new Request(base + path, { headers: sent }))

/** A task as the service shows it. */
export const read = async (service: Service, id: string): Promise<Task> =>
  (await (await get(service, `/tasks/${id}`)).json()) as Task

/** Sends an assignment update. */
export const put = (service: Service, id: string, version: string | undefined, body: unknown) =>
  service.fetch(
    new Request(`${base}/tasks/${id}/update-assignment`, {
      method: 'PUT',
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(version !== undefined && { 'if-match': version }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

/** The body that assigns. */
export const to = (id: string, type = 'USER', comment?: string | null) => ({
  update: {
    assigned_by_id: otherUser,
    assigned_to_id: id,
    assigned_to_type: type,
    assignment_comment: comment,
  },
})
/** The body that unassigns. */
export const off = { unassign: { assigned_by_id: otherUser } }

/** A task assigned to one, or to nobody. */
export const taskWith = (assignee: 'USER' | 'TEAM' | undefined): Task =>
  world.tasks.find((task) => task.assignment?.assigned_to_type === assignee) as Task
