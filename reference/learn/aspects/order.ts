import type { CheckName } from '../../calls/call.ts'
import { open } from '../../rules/open.ts'
import type { Aspect } from '../aspect.ts'
import { isMembers, type Seen } from '../seen.ts'

const id = 'assign.validation-order'
const ofExport = 'export.validation-order'

type Pair = readonly [before: CheckName, after: CheckName]

/** Which of several reasons to refuse comes first. */
export const order: Aspect = {
  of: [id, ofExport, 'task.read.error-body', 'assessment.read.error-body'],
  rules(seen) {
    const usual = open.order({} as never)
    const ofUpdates = inOrder(usual, pairsIn(seen))
    if (!ofUpdates) seen.unclear(id, 'saw statuses that no one order of checks gives')
    const first = seen.members(ofExport)['bad key, reversed range']
    const ofExports: CheckName[] =
      first === 400
        ? ['query', 'range', 'size', ...usual.filter((each) => !late.includes(each))]
        : usual
    const unknownFirst = new Set(
      ['task.read', 'assessment.read'].filter((op) => isFoundFirst(seen, `${op}.error-body`)),
    )
    return {
      open: {
        order: ({ op }) => {
          if (op === 'export') return ofExports
          if (op.startsWith('assign.')) return ofUpdates ?? usual
          return unknownFirst.has(op) ? ['path', 'found', ...usual] : usual
        },
      },
    }
  },
}

const late = ['query', 'range', 'size']

/** Whether a read without a key is answered 404: the clause asks for an id that nobody has. */
function isFoundFirst(seen: Seen, id: string): boolean {
  const refused = seen.members(id)['no key']
  return isMembers(refused) && refused.status === 404
}

/** Mistakes that these requests have besides those they are named by. */
const alsoWrong: Record<string, string[]> = {
  'bad key, invalid body': ['stale If-Match'],
  'unknown id, no If-Match': ['invalid body'],
}

/** Of two mistakes the one whose own status was answered is looked for first. */
function pairsIn(seen: Seen): Pair[] {
  const bodies = seen.members('assign.error-body')
  const statusOf = (name: string): unknown => {
    const refused = bodies[name]
    return isMembers(refused) ? refused.status : undefined
  }
  const invalid = seen.members('assign.status-of-invalid-body')
  const checks: Record<string, [CheckName, unknown]> = {
    'bad key': ['key', 401],
    'unknown id': ['found', 404],
    'stale If-Match': ['version', 409],
    'no If-Match': ['if-match', statusOf('no If-Match')],
    'not JSON': ['json', invalid['not JSON']],
  }
  return Object.entries(seen.members(id)).flatMap(([what, status]) => {
    const ofTask = !what.includes('unknown id')
    const parts = [...what.split(', '), ...(alsoWrong[what] ?? [])].flatMap(
      (part): [CheckName, unknown][] => {
        // The two ways in which clauses make a body invalid.
        const empty = /unknown id|bad key/.test(what)
        const ofBody = empty ? statusOf('neither object') : invalid.assigned_by_id
        // A task that does not exist has no version.
        if (!ofTask && part.endsWith('If-Match')) return []
        return [checks[part] ?? ['body', ofBody]]
      },
    )
    const [winner, ...others] = parts.filter(([, own]) => own === status)
    if (!winner || others.length > 0) return []
    return parts.flatMap(([check]): Pair[] => (check === winner[0] ? [] : [[winner[0], check]]))
  })
}

/** The usual order as far as the pairs allow it; undefined: they contradict each other. */
function inOrder(usual: readonly CheckName[], pairs: readonly Pair[]): CheckName[] | undefined {
  const left = [...usual]
  const sorted: CheckName[] = []
  while (left.length > 0) {
    const at = left.findIndex(
      (check) => !pairs.some(([before, after]) => after === check && left.includes(before)),
    )
    if (at < 0) return undefined
    sorted.push(...left.splice(at, 1))
  }
  return sorted
}
