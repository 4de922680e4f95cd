import { malformedIds } from '../service/ids.ts'
import type { RefusedUpdate } from './refused-update.ts'

/** Valid updates, each sent to an id that is no UUID; the last unassigns. */
export const updatesOfNoUuid: readonly RefusedUpdate[] = Object.entries(malformedIds).map(
  ([kind, id], at, { length }) => {
    const what = `of an id that is no UUID: ${kind}`
    return at < length - 1
      ? { what, id, on: 'any', body: (valid) => ({ update: valid }) }
      : {
          what: `that unassigns, ${what}`,
          id,
          on: 'assigned',
          body: ({ assigned_by_id }) => ({ unassign: { assigned_by_id } }),
        }
  },
)
