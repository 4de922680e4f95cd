import { malformedIds } from '../service/ids.ts'
import type { RefusedUpdate } from './refused-update.ts'

/** What a database that compares by LIKE takes for a task: there it would be unassigned. */
const unassigning = 'a UUID with _ for its last letter'

/** Valid updates, each sent to an id that is no UUID; one of them unassigns. */
export const updatesOfNoUuid: readonly RefusedUpdate[] = Object.entries(malformedIds).map(
  ([kind, id]) => {
    const what = `of an id that is no UUID (${kind})`
    return kind === unassigning
      ? {
          what: `that unassigns, ${what}`,
          id,
          on: 'assigned',
          body: ({ assigned_by_id }) => ({ unassign: { assigned_by_id } }),
        }
      : { what, id, on: 'any', body: (valid) => ({ update: valid }) }
  },
)
