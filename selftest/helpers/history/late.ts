import type { Update } from '../../../reference/calls/call.ts'
import { stated } from '../../../reference/rules/stated.ts'
import type { Task } from '../../../reference/world/world.ts'
import type { Bent } from '../../proofs/fault.ts'

type Refused = Parameters<typeof stated.effectOfRefusal>[0]
type When = number | 'next change' | 'replica'
export type Late = Pick<Bent, 'stated' | 'open'> & { name: string; breaks: string[] }

const kinds: [what: string, isSo: (refused: Refused) => boolean, breaks: string[]][] = [
  [
    'an update without If-Match',
    ({ op, reason }) => op === 'assign.update' && reason === 'no if-match',
    ['version.required'],
  ],
  [
    'an unassign without If-Match',
    ({ op, reason }) => op === 'assign.unassign' && reason === 'no if-match',
    ['version.required.unassign'],
  ],
  [
    'an update with a wrong If-Match',
    ({ op, reason }) => op === 'assign.update' && reason === 'version mismatch',
    ['version.refused-changes-nothing'],
  ],
  [
    'an unassign with a wrong If-Match',
    ({ op, reason }) => op === 'assign.unassign' && reason === 'version mismatch',
    ['version.refused-changes-nothing'],
  ],
  [
    'an update without assigned_by_id',
    ({ op, sent, reason }) =>
      op === 'assign.update' && reason === 'invalid body' && !('assigned_by_id' in sent),
    ['assign.required.assigned_by_id'],
  ],
  [
    'an unassign without a key',
    ({ op, reason }) => op === 'assign.unassign' && reason === 'unauthorized',
    ['auth.refused-changes-nothing'],
  ],
]

/** Services that carry a refused update out later, of each kind and each of these times. */
export const lateFaults = (times: readonly When[]): Late[] =>
  times.flatMap((when) =>
    kinds.map(([what, isSo, breaks]) => ({
      name: `${what} is refused, and carried out ${describeWhen(when)}`,
      stated: when === 'replica' ? inReplica(isSo) : later(isSo, when),
      breaks,
    })),
  )

const describeWhen = (when: When) => {
  if (when === 'replica') return 'in what reads show alone'
  return when === 'next change' ? 'with the next accepted one' : `${when} ms later`
}

const later = (isSo: (refused: Refused) => boolean, when: number | 'next change') => ({
  ...{ assigned: filled },
  effectOfRefusal: (refused: Refused) => (isSo(refused) ? when : ('none' as const)),
})

const filled: typeof stated.assigned = ({ sent, comment }) => ({
  ...sent,
  assigned_by_id: sent.assigned_by_id ?? '00000000-0000-4000-8000-000000000000',
  assignment_comment: comment,
})

/** What is carried out there is lost with the next change. */
function inReplica(isSo: (refused: Refused) => boolean): Bent['stated'] {
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

/** Services that obey the contract, and look as if they did not. */
export const lawful = (lagMs = 1500): Late[] => [
  {
    name: 'a task is touched at once after every answer',
    open: { laterTouches: () => [0] },
    breaks: ['assign.new-version.shown'],
  },
  {
    name: 'a task is touched after a refusal',
    stated: { effectOfRefusal: () => 'touched' },
    breaks: ['version.refused-changes-nothing.version'],
  },
  { name: 'reads lag', open: { readLag: () => lagMs }, breaks: [] },
  {
    name: 'refused attempts are recorded and mailed with their comment',
    open: { refusalLeaves: () => ['event', 'mail'] },
    breaks: [],
  },
  {
    name: 'refused attempts are kept in custom_metadata',
    ...keptInMetadata(),
    breaks: [],
  },
]

/** Services whose comments are no token: they do not come back as they were sent. */
export const unkept = (): Late[] =>
  (
    [
      ['cut', (comment) => comment.slice(0, 34)],
      ['in capitals', (comment) => comment.toUpperCase()],
      ['dropped', () => ''],
    ] satisfies [string, (comment: string) => string][]
  ).map(([how, as]) => {
    const [late] = lateFaults([200])
    const name = `comments are ${how}, and ${late?.name}`
    return { ...late, name, open: cut(as), breaks: late?.breaks ?? [] }
  })

const cut = (as: (comment: string) => string): Bent['open'] => ({
  commentAsKept: ({ comment }) => (comment ? as(comment) : (comment ?? null)),
})

function keptInMetadata(): Pick<Bent, 'stated' | 'open'> {
  const attempts = new Map<string, string>()
  return {
    stated: {
      effectOfRefusal: ({ task, sent }) => {
        attempts.set(task.id, String(sent.assignment_comment))
        return 'none'
      },
    },
    open: {
      shownValue: ({ field, record, value }) =>
        field === 'custom_metadata'
          ? { ...(value as object), attempt: attempts.get((record as Task).id) }
          : value,
    },
  }
}
