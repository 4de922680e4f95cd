import type { Reason, Update } from '../../../reference/calls/call.ts'
import { stated } from '../../../reference/rules/stated.ts'
import type { Task } from '../../../reference/world/world.ts'
import { type Fault, fault } from '../fault.ts'

type Refused = Update & { reason: Reason }
type When = number | 'next change' | 'replica'

const kinds: [what: string, isSo: (refused: Refused) => boolean, breaks: string][] = [
  [
    'an update without If-Match',
    ({ op, reason }) => op === 'assign.update' && reason === 'no if-match',
    'version.required',
  ],
  [
    'an unassign without If-Match',
    ({ op, reason }) => op === 'assign.unassign' && reason === 'no if-match',
    'version.required.unassign',
  ],
  [
    'an update with a wrong If-Match',
    ({ op, reason }) => op === 'assign.update' && reason === 'version mismatch',
    'version.refused-changes-nothing',
  ],
  [
    'an update without assigned_by_id',
    ({ op, sent, reason }) =>
      op === 'assign.update' && reason === 'invalid body' && !('assigned_by_id' in sent),
    'assign.required.assigned_by_id',
  ],
  [
    'an unassign without a key',
    ({ op, reason }) => op === 'assign.unassign' && reason === 'unauthorized',
    'auth.refused-changes-nothing',
  ],
]

const describeWhen = (when: When) => {
  if (when === 'replica') return 'in what reads show alone'
  return when === 'next change' ? 'with the next accepted one' : `${when} ms later`
}

const filled: typeof stated.assigned = ({ sent, comment }) => ({
  ...sent,
  assigned_by_id: sent.assigned_by_id ?? '00000000-0000-4000-8000-000000000000',
  assignment_comment: comment,
})

const later = (isSo: (refused: Refused) => boolean, when: number | 'next change') => ({
  assigned: filled,
  effectOfRefusal: (refused: Refused) => (isSo(refused) ? when : ('none' as const)),
})

/** What is carried out there is lost with the next change. */
function inReplica(isSo: (refused: Refused) => boolean): Fault['stated'] {
  const shown = new Map<string, { of: string; task: Task }>()
  const taskOf = ({ task, op, sent }: Update): Task => ({
    ...task,
    assignment:
      op === 'assign.unassign'
        ? null
        : filled({ sent, comment: sent.assignment_comment ?? null } as never),
    updated_at: task.updated_at.replace(/\d(?=Z$)/, (digit) => String((Number(digit) + 1) % 10)),
  })
  return {
    effectOfRefusal: (refused) => {
      if (isSo(refused))
        shown.set(refused.task.id, { of: refused.task.updated_at, task: taskOf(refused) })
      return 'none'
    },
    taskFor: (call) => {
      const task = stated.taskFor(call)
      const other = shown.get(call.id)
      return call.op === 'task.read' && other && other.of === task?.updated_at ? other.task : task
    },
  }
}

/** Services that carry a refused update out later, of each kind and at each of these times. */
export const lateEffects: Fault[] = ([200, 'next change', 'replica'] as const).flatMap((when) =>
  kinds.map(([what, isSo, breaks]) =>
    fault(`${what} is refused, and carried out ${describeWhen(when)}`, {
      ...(when === 'replica' ? inReplica(isSo) : later(isSo, when)),
      breaks: [breaks],
      // What it asked for shows in answers and races of others, too.
      mayBreak: [
        'assign.persisted',
        'assign.comment.*',
        'auth.invalid-besides.*',
        'task.read.assignment',
        'version.*',
      ],
      env: { SETTLE_MS: '400' },
    }),
  ),
)
