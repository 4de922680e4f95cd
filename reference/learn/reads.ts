import { open } from '../rules/open.ts'
import { canonical } from '../world/versions.ts'
import * as is from './aspect.ts'
import { type Aspect, aspect, one } from './aspect.ts'

const statuses = is.list(is.success)
const types = is.list(is.like(/^(none)?$|^[!-~]+\/[!-~]+$/))
/** The timestamp forms that can be written; `00T00Z` has no punctuation. */
const form = /^YYYY-00-00([Tt ])00:00:00(Z|z|\+00|\+00:00|\+YYYY)$|^00T00Z$/
/** The fields that an update changes; here they always have a value. */
const moving = ['updated_at', 'data_version']

export const reads: Aspect[] = [
  aspect(
    {
      'task.read.success-status': statuses,
      'assessment.read.success-status': statuses,
      'assign.success-status': is.object(is.same(['update', 'unassign'], statuses)),
    },
    ({ 'assign.success-status': assign = {}, ...reads }, { first }) => {
      const idOf = (name: string) => (name in reads ? name : 'assign.success-status')
      const all = Object.entries({ ...reads, ...assign })
      const status = new Map(all.map(([name, each]) => [name, first(idOf(name), each)]))
      return {
        successStatus: (call) =>
          status.get(`${call.op}.success-status`) ??
          status.get(call.op.replace('assign.', '')) ??
          open.successStatus(call),
      }
    },
  ),
  aspect(
    {
      'task.read.content-type': types,
      'assessment.read.content-type': types,
      'assign.content-type': types,
    },
    (seen, { first }) => {
      const type = new Map(Object.entries(seen).map(([id, each]) => [id, first(id, each)]))
      return {
        contentType: (call) => {
          const own = type.get(`${partOf(call.op)}.content-type`) ?? open.contentType(call)
          return own === 'none' ? undefined : own
        },
      }
    },
  ),
  one('task.read.timestamp-forms', isWritable, (forms, { first }) => {
    const punctuation = first('task.read.timestamp-forms', Object.keys(forms)) ?? ''
    const digits = Math.min(9, Number(/\d+/.exec(forms[punctuation] ?? '')?.[0] ?? 0))
    const [, between = 'T', zone = 'Z'] = form.exec(punctuation) ?? []
    return {
      timestampForm: ({ value: given }) => {
        const value = canonical(given)
        const plain = `${value.slice(0, 10)}${between}${value.slice(11, 19)}`
        const moment = punctuation === '00T00Z' ? plain.replaceAll(/[-:]/g, '') : plain
        const fraction = digits > 0 ? `.${value.slice(20, 20 + digits)}` : ''
        return `${moment}${fraction}${zone.replace('YYYY', '0000')}`
      },
    }
  }),
  aspect(
    {
      'task.read.nulls': is.list(is.text),
      'assessment.read.nulls': is.list(is.text),
      'task.read.status-values': is.list(is.like(/^"[^"\\]*"$/)),
    },
    (seen, { note }, { tasks, assessments }) => {
      const { 'task.read.nulls': ofTask = [], 'assessment.read.nulls': ofAssessment = [] } = seen
      const nulls = { task: ofTask, assessment: ofAssessment, assignment: [] as string[] }
      const statuses = seen['task.read.status-values'] ?? []
      if (ofTask.some((field) => moving.includes(field)))
        note('task.read.nulls', `this service never shows null as ${moving.join(' or ')}`)
      const ids = [...tasks, ...assessments].map(({ id }) => id)
      return {
        shownValue: ({ resource, field, record, value }) => {
          const place = 'id' in record ? ids.indexOf(String(record.id)) : 0
          // A field that is sometimes null is null in every other record.
          const isNull = nulls[resource].includes(field) && !moving.includes(field)
          if (isNull && place % 2 === 0) return null
          const isStatus = resource === 'task' && field === 'status'
          return (isStatus && statuses[place % statuses.length]?.slice(1, -1)) || value
        },
      }
    },
  ),
]

function isWritable(value: unknown): value is Record<string, string> {
  return is.each(is.text)(value) && form.test(Object.keys(value)[0] ?? '')
}

type Codes = Readonly<Record<string, unknown>>
/** What is known of the answer to one kind of refusal. */
type Refused = { status?: number; mediaType?: string | null; body?: unknown; codes?: Codes }

const refused = is.object({
  status: is.refusal,
  mediaType: is.either(is.headerText, is.word(null)),
  body: is.json,
})
const codes = is.each(is.either(is.isObject, is.word('accepted')))
export const bodies = is.each(is.either(refused, is.word('accepted')))
/** The effect of an update that the contract does not describe. */
export const effect = is.object({
  accepted: is.success,
  refused,
  assignment: is.word('kept', 'changed', 'removed'),
})
const keptOrNot = is.either(is.refusal, is.like(/^kept \d+$/))
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
  'assign.content-type-required': 'content type',
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
      else if (name !== 'text/plain')
        note('assign.status-of-invalid-body', 'saw a body accepted that is refused here')
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
