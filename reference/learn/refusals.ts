import { open } from '../rules/open.ts'
import { type Aspect, aspect } from './aspect.ts'
import * as is from './shapes.ts'

type Codes = Readonly<Record<string, unknown>>
/** What is known of the answer to one kind of refusal. */
type Refused = { status?: number; mediaType?: string | null; body?: unknown; codes?: Codes }

const refused = is.object({
  status: is.refusal,
  mediaType: is.either(is.headerText, is.word(null)),
  body: is.json,
})
const codes = is.each(is.either(is.isObject, is.word('accepted')))
/** Refusals by their names in a clause. */
export const bodies = is.each(is.either(refused, is.word('accepted')))
/** The effect of an update that the contract does not describe. */
export const effect = is.object({
  accepted: is.success,
  refused,
  assignment: is.word('kept', 'changed', 'removed'),
})
const keptOrNot = is.either(is.refusal, is.like(/^kept \d+$/))
/** What happened to comments, by length. */
export const comments = is.object(is.same(['256', '1025', '5001'], keptOrNot))

const parts = ['task.read', 'assessment.read', 'assign', 'export'] as const
const errorBodies = parts.map((part) => `${part}.error-body` as const)
const errorCodes = parts.map((part) => `${part}.error-codes` as const)
/** The part of the contract whose clauses observe an operation. */
export const partOf = (op: string) => parts.find((part) => op.startsWith(part)) ?? 'task.read'

/** The clauses that observed one update each, and the service's name for its refusal. */
const single = {
  'assign.both-objects': 'both',
  'assign.neither-object': 'neither',
  'assign.unknown-assignee': 'person',
  'assign.extra-fields': 'member',
  'assign.unassign-unassigned': 'state of assign.unassign',
  'assign.same-assignee': 'state of assign.update',
}
export const oddUpdates = Object.keys(single) as (keyof typeof single)[]

/** The clauses' name for a refusal, and the service's. */
export const kinds: Record<string, string> = {
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

/** Statuses and bodies of refusals. */
export const refusals: Aspect = aspect(
  {
    ...is.same(errorBodies, bodies),
    ...is.same(errorCodes, codes),
    ...is.same(oddUpdates, effect),
    'assign.status-of-invalid-body': is.each(is.either(is.refusal, is.word('accepted'))),
    'version.missing-status': is.refusal,
    'assign.comment-limit': comments,
  },
  (seen, { note, assume }) => {
    const found = new Map<string, Refused>()
    for (const part of parts)
      for (const [name, answer] of Object.entries(seen[`${part}.error-body`] ?? {})) {
        const at = `${part} ${kinds[name] ?? name}`
        const words = seen[`${part}.error-codes`]?.[name]
        if (answer === 'accepted') continue
        const { status = answer.status } = found.get(at) ?? {}
        if (status !== answer.status)
          note(`${part}.error-body`, `saw ${status} and ${answer.status}; the first is used`)
        else if (!found.has(at))
          found.set(at, { ...answer, codes: words === 'accepted' ? {} : words })
      }
    for (const id of oddUpdates) {
      const answer = seen[id]?.refused
      const at = `assign ${single[id]}`
      if (answer && !found.has(at)) found.set(at, answer)
    }
    if (found.size > 0)
      assume('refusals that were not observed look like the others of their operation')
    const statusAt = (...places: string[]) =>
      places.map((at) => found.get(at)?.status).find(is.refusal)
    const invalid: Record<string, number> = {}
    for (const [name, status] of Object.entries(seen['assign.status-of-invalid-body'] ?? {}))
      if (status !== 'accepted') invalid[name] = status
      else note('assign.status-of-invalid-body', 'saw a body accepted that is refused here')
    return {
      errorBody: (refusal) => {
        const { op, reason, wrong, name } = refusal
        const part = partOf(op)
        const own = [`${reason} of ${op}`, wrong, reason]
          .map((kind) => found.get(`${part} ${kind}`))
          .find((each) => each)
        const ofPart = [...found].find(([at]) => at.startsWith(part)) ?? [...found][0]
        const { mediaType, body, codes = {} } = own ?? ofPart?.[1] ?? {}
        const type = mediaType ?? undefined
        if (body === undefined) return open.errorBody(refusal)
        if (body === 'empty') return { type, text: '' }
        if (body === 'not JSON')
          return { type, text: /html/.test(type ?? '') ? `<p>${name}</p>` : name }
        // An unobserved refusal uses its name as text; its numbers are unknown.
        const wordAt = (path: string) =>
          own || typeof codes[path] !== 'string' ? codes[path] : name
        return { type, text: JSON.stringify(filled(body, wordAt)) }
      },
      malformedIdStatus: (call) =>
        statusAt(`${partOf(call.op)} malformed id`, 'task.read malformed id') ??
        open.malformedIdStatus(call),
      invalidBodyStatus: (call) => {
        const { op, flaw, field = '', value } = call
        const type = Object.keys(invalid).find((name) => name.startsWith(`whose ${field} is `))
        const own: Record<string, number | undefined> = {
          required: invalid[op === 'assign.unassign' ? `unassign-${field}` : field],
          type: invalid[type ?? 'of the type PERSON'],
          value: invalid[`of the type ${value}`] ?? invalid['of the type PERSON'],
          comment: Object.values(seen['assign.comment-limit'] ?? {}).find(is.refusal),
        }
        return (
          own[flaw] ??
          statusAt(`assign ${flaw}`, 'assign neither', 'assign both') ??
          Object.values(invalid)[0] ??
          open.invalidBodyStatus(call)
        )
      },
      notJsonStatus: (call) => invalid['not JSON'] ?? open.notJsonStatus(call),
      contentTypeStatus: (call) => invalid['text/plain'] ?? open.contentTypeStatus(call),
      missingIfMatchStatus: (call) =>
        seen['version.missing-status'] ??
        statusAt('assign no if-match') ??
        open.missingIfMatchStatus(call),
    }
  },
)

/** A sample of each type, where the text belonged to one request. */
const samples = { string: '(not known)', number: 1_000_000, boolean: true, object: {}, array: [] }

function filled(form: unknown, wordAt: (path: string) => unknown, path = ''): unknown {
  if (Array.isArray(form)) return form.map((item) => filled(item, wordAt, `${path}[]`))
  if (!is.isObject(form)) {
    const word = wordAt(path)
    return typeof word === form ? word : (samples[form as keyof typeof samples] ?? null)
  }
  const members = Object.entries(form).map(([member, inner]) => {
    const key = member === 'ID' ? '00000000-0000-4000-8000-000000000000' : member
    return [key, filled(inner, wordAt, path ? `${path}.${key}` : key)]
  })
  return Object.fromEntries(members)
}
