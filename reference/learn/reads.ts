import { open } from '../rules/open.ts'
import { canonical } from '../world/versions.ts'
import { type Aspect, aspect, one } from './aspect.ts'
import { partOf } from './refusals.ts'
import * as is from './shapes.ts'

const statuses = is.list(is.success)
const types = is.list(is.like(/^(none)?$|^[!-~]+\/[!-~]+$/))
/** The timestamp forms that can be written; `00T00Z` has no punctuation. */
const form = /^YYYY-00-00([Tt ])00:00:00(Z|z|\+00|\+00:00|\+YYYY)$|^00T00Z$/
/** The fields that an update changes; here they always have a value. */
const moving = ['updated_at', 'data_version']

/** The answers to reads and to accepted updates. */
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
