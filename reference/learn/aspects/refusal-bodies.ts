import type { Body } from '../../calls/call.ts'
import { open } from '../../rules/open.ts'
import type { Aspect } from '../aspect.ts'
import { isMembers, type Members, type Seen } from '../seen.ts'

/** What is known of the answer to one kind of refusal. */
export type Refused = { status?: unknown; mediaType?: unknown; body?: unknown; codes?: Members }

const bodiesOf = {
  task: 'task.read.error-body',
  assessment: 'assessment.read.error-body',
  assign: 'assign.error-body',
  export: 'export.error-body',
}
type Part = keyof typeof bodiesOf

const single: Record<string, string> = {
  'assign.both-objects': 'both',
  'assign.neither-object': 'neither',
  'assign.unknown-assignee': 'person',
  'assign.extra-fields': 'member',
  'assign.unassign-unassigned': 'state of unassign',
  'assign.same-assignee': 'state of update',
}

/** The clauses that saw what refusals look like. */
export const refusalClauses = [
  ...Object.values(bodiesOf).flatMap((id) => [id, id.replace('body', 'codes')]),
  ...Object.keys(single),
]

// What clauses call a refusal, and what the service does.
const kinds: Record<string, string> = {
  'unknown id': 'not found',
  'no key': 'unauthorized',
  'stale If-Match': 'version mismatch',
  'no If-Match': 'no if-match',
  'neither object': 'neither',
  words: 'malformed id',
  'a digit': 'malformed id',
  'a UUID cut short': 'malformed id',
  'reversed range': 'invalid range',
  'file-type': 'file type',
  'metadata-key': 'metadata key',
  'range-form': 'range form',
  timezone: 'time zone',
}

/** What refusals look like, by the part of the contract and by what is refused. */
export function refusalsIn(seen: Seen): Record<Part, Map<string, Refused>> {
  const found = { task: new Map(), assessment: new Map(), assign: new Map(), export: new Map() }
  for (const [part, id] of Object.entries(bodiesOf)) {
    const codes = seen.members(id.replace('body', 'codes'))
    const into: Map<string, Refused> = found[part as Part]
    for (const [name, refused] of Object.entries(seen.members(id))) {
      const kind = kinds[name]
      if (!kind || !isMembers(refused)) continue
      const words = codes[name]
      const earlier = into.get(kind)
      if (earlier && earlier.status !== refused.status)
        seen.unclear(
          id,
          `saw ${earlier.status} and ${refused.status} to malformed ids; the first is used`,
        )
      if (!earlier) into.set(kind, { ...refused, ...(isMembers(words) ? { codes: words } : {}) })
    }
  }
  for (const [id, kind] of Object.entries(single)) {
    const { refused } = seen.members(id)
    if (isMembers(refused) && !found.assign.has(kind)) found.assign.set(kind, refused)
  }
  return found
}

/** Shape, content type and words of error bodies. */
export const refusalBodies: Aspect = {
  of: refusalClauses,
  rules(seen) {
    const refusals = refusalsIn(seen)
    const any = Object.values(refusals).flatMap((part) => [...part.values()])[0]
    if (!any) return {}
    seen.assume('refusals that were not observed look like the others of their operation')
    return {
      open: {
        errorBody: (refusal) => {
          const { op, reason, wrong, name } = refusal
          const part = refusals[partOf(op)]
          const own =
            (reason === 'state' && part.get(`state of ${op.replace('assign.', '')}`)) ||
            (wrong && part.get(wrong)) ||
            part.get(reason)
          const like = own ?? [...part.values()][0] ?? any
          if (like.body === undefined) return open.errorBody(refusal)
          return bodyFrom(own ? like : { ...like, codes: wordsFor(like, name) }, name)
        },
      },
    }
  },
}

export const partOf = (op: string): Part => {
  if (op.startsWith('assign.')) return 'assign'
  if (op === 'export') return 'export'
  return op === 'assessment.read' ? 'assessment' : 'task'
}

/** Of a refusal that was not observed the words are its name, and its numbers are not known. */
const wordsFor = ({ codes = {} }: Refused, name: string): Members =>
  Object.fromEntries(
    Object.entries(codes).map(([path, code]) => [path, typeof code === 'string' ? name : code]),
  )

function bodyFrom({ mediaType, body, codes = {} }: Refused, name: string): Body {
  const type = typeof mediaType === 'string' ? mediaType : undefined
  if (body === 'empty') return { type, text: '' }
  if (body === 'not JSON') {
    if (/html/.test(type ?? '')) return { type, text: `<h1>${name}</h1>` }
    return { type, text: /xml/.test(type ?? '') ? `<error>${name}</error>` : name }
  }
  return { type, text: JSON.stringify(filled(body, '', codes, name)) }
}

// A text that is one request's own: no fixed word is read in it.
const ownWords = '(not known)'

/** A value of a shape, with the codes where they were seen. */
function filled(shape: unknown, path: string, codes: Members, name: string): unknown {
  if (Array.isArray(shape)) return shape.map((item) => filled(item, `${path}[]`, codes, name))
  if (isMembers(shape))
    return Object.fromEntries(
      Object.entries(shape).map(([member, inner]) => {
        const key = member === 'ID' ? '00000000-0000-4000-8000-000000000000' : member
        return [key, filled(inner, path ? `${path}.${key}` : key, codes, name)]
      }),
    )
  const code = codes[path]
  if (shape === 'string') return typeof code === 'string' ? code : path === '' ? name : ownWords
  if (shape === 'number') return typeof code === 'number' ? code : 1_000_000
  if (shape === 'boolean') return true
  if (shape === 'object') return {}
  return shape === 'array' ? [] : null
}
