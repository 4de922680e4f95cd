import { type Fault, fault } from '../fault.ts'

/** Longer than a request may take. */
const hanging = { milliseconds: 2_500, env: { TIMEOUT_MS: '1000' } }

/** A request in which a version mismatch was met is not answered. */
function neverAnswered(): Fault {
  const met = new WeakSet<Headers>()
  return fault('a version mismatch is never answered', {
    mismatchStatus: ({ headers }) => {
      met.add(headers)
      return 409
    },
    delay: ({ headers }) => (met.has(headers) ? hanging.milliseconds : 0),
    env: hanging.env,
    breaks: ['version.mismatch-answered'],
  })
}

/** The caller reads the task again, as the contract asks, and waits. */
function readNotAnswered(): Fault {
  const held = new Set<string>()
  return fault('after each 409 a read of the task is not answered', {
    mismatchStatus: ({ id }) => {
      held.add(id)
      return 409
    },
    delay: ({ op, id, at }) =>
      op === 'task.read' && at === 'start' && held.delete(id) ? hanging.milliseconds : 0,
    env: hanging.env,
    breaks: ['version.mismatch-answered'],
  })
}

/** Services that leave the caller waiting where the version does not match. */
export const unanswered: Fault[] = [neverAnswered(), readNotAnswered()]
