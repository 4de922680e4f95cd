import { describe } from 'vitest'
import { expect, expectThat } from '../engine/clause/matchers.ts'
import { problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clause } from '../helpers/clause.ts'
import { premise } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import type { Settings } from '../helpers/settings/table.ts'
import { anotherThanActor, type Trail } from '../helpers/trail/journey-events.ts'
import { acceptedOf } from '../helpers/updates/step.ts'

describe('Audit trail', () => {
  clause(
    'audit.actor',
    {
      should: 'find the event of an update with the id of the user who assigned',
      section: 'Export audit events',
      operation: 'export',
      reading: '“Filter by the id of the user who caused the event”',
    },
    async ({ trail, settings, note }) => {
      needAssigned(trail, settings)
      const { assigner, assignee: byAssignee } = trail.foundWith
      // Events that are missing are another clause's matter.
      const isFound = assigner >= Math.min(trail.gained, trail.updates.length)
      premise(
        isFound ? byAssignee < assigner : byAssignee > 0 || assigner > 0,
        'freedom',
        `${assigner} of ${trail.updates.length} events are found with auditee_id of the assigner, ${byAssignee} with that of the assignee`,
      )
      expectThat(
        isFound,
        `${assigner} events of ${trail.updates.length} updates by ${settings.actorId} are found with their auditee_id, and ${byAssignee} with that of the assignee`,
        {
          expected: `${trail.updates.length} events`,
          got: `${assigner} events`,
          judged: trail.shownBy.byUser,
          again: { why: 'events come some time after the updates that they are of' },
          control: trail.updates.map(acceptedOf),
        },
      )
      note(`found with auditee_id=${settings.actorId}`)
    },
  )

  clause(
    'audit.actor-alone',
    {
      should: 'find the event of an update with the id of nobody but who assigned',
      section: 'Export audit events',
      operation: 'export',
      reading:
        '“Filter by the id of the user who caused the event”; the events are told by their cells',
    },
    async ({ trail, settings, note }) => {
      const assignee = needAssigned(trail, settings)
      const { assigner, assignee: byAssignee, showing, either } = trail.foundWith
      premise(
        showing.length > 0,
        'freedom',
        `no event that is found with auditee_id=${settings.actorId} shows the comment of its update`,
      )
      premise(
        either !== undefined,
        'freedom',
        `${byAssignee} of ${assigner} events are found with auditee_id=${assignee} too: the filter may not be taken in the form in which it was sent`,
      )
      expect(
        (either ?? []).map((cells) =>
          problem(
            `the event ${shown(cells.filter(Boolean).join(', '))} is found with auditee_id=${settings.actorId}, who assigned, and with ${assignee}, who did not`,
            {
              expected: `an event that auditee_id=${assignee} does not find`,
              got: 'the same event by either',
              judged: trail.shownBy.byUser[1],
              again: { signs: [{ lacks: plainOf(cells) }] },
              control: trail.shownBy.byUser[0],
            },
          ),
        ),
      ).toBeNone()
      note(`none of ${assigner} events is found with auditee_id=${assignee}`)
    },
  )
})

/** The times and ids of an event, which stand in a file as they are. */
const plainOf = (cells: readonly string[]) => cells.filter((cell) => /^[\w:.+-]+$/.test(cell))

/** A user who does not assign, and to whom an update that was accepted assigned. */
function needAssigned(trail: Trail, settings: Settings): string {
  const assignee = anotherThanActor(settings) ?? 'a user beside that of ACTOR_ID'
  premise(
    trail.updates.some(({ sent }) => isSameId(sent.to?.id, assignee)),
    'data',
    `no update to ${assignee} was accepted, whose event could be found`,
  )
  return assignee
}
