import { describe } from 'vitest'
import { expect, expectThat } from '../engine/clause/matchers.ts'
import { spanClass } from '../engine/http/shapes.ts'
import { clause } from '../helpers/clause.ts'
import { premise } from '../helpers/service/answers.ts'
import type { Trail } from '../helpers/watch/event-watch.ts'
import { commentTaken } from '../helpers/watch/mails.ts'
import { eventsLeft, whileRefused } from '../helpers/watch/refusal-watch.ts'

const section = 'Events'
const operation = 'export'

describe('Audit trail', () => {
  clause(
    'audit.assignment-recorded',
    {
      should: 'export an event for each assignment, reassignment and unassignment',
      section: 'States and transitions',
      operation,
      reading: '“histories of system actions and changes”, found by task_id or entity_id',
    },
    async ({ trail, settings, note }) => {
      const { updates, gained, by, complete } = trail
      const found = `${updates.length} updates, and ${gained} events more by metadata[${by}]`
      note(found)
      expectThat(complete, `${found} within ${settings.auditWaitS} s`)
    },
  )

  clause(
    'audit.assign-comment',
    {
      should: 'export the comment of an assignment among the events of its entity',
      section,
      operation,
    },
    async ({ trail, settings }) => {
      expect(commentsMissing(trail, 'assignment', settings.auditWaitS)).toBeNone()
    },
  )

  clause(
    'audit.unassign-comment',
    {
      should: 'export the comment of an unassignment among the events of its entity',
      section,
      operation,
    },
    async ({ trail, settings }) => {
      expect(commentsMissing(trail, 'unassignment', settings.auditWaitS)).toBeNone()
    },
  )

  clause(
    'audit.refused-not-recorded',
    { observe: 'whether an update that is answered 409 leaves an event', section, operation },
    async ({ session, service, shared, settings, people, trail }) => {
      premise(trail.complete && trail.by === 'task_id', 'no events of a task are found by task_id')
      const { milliseconds } = trail
      const look = eventsLeft({ milliseconds, stop: session.stop })
      return whileRefused({ lending: session.lending, service, shared, settings }, people, look)
    },
  )

  clause(
    'audit.delay',
    {
      observe: 'how long it takes until an update can be seen in an export',
      section,
      operation,
      varies: 'the moment',
    },
    async ({ trail }) => {
      premise(
        trail.complete,
        'not every update was seen in an export: see audit.assignment-recorded',
      )
      return spanClass(trail.milliseconds)
    },
  )
})

/** The comments of a kind of update that no event of the entity shows, one sentence each. */
function commentsMissing(
  { updates, shows }: Trail,
  kind: 'assignment' | 'unassignment',
  seconds: number,
): string[] {
  const comments = updates
    .filter(({ sent }) => (sent.to === null) === (kind === 'unassignment'))
    .flatMap((step) => commentTaken(step) ?? [])
  premise(comments.length > 0, `no ${kind} was accepted with a comment`)
  return comments
    .filter((comment) => !shows(comment))
    .map(
      (comment) =>
        `no event of the entity shows the comment of an ${kind} within ${seconds} s: ${comment}`,
    )
}
