import { type Call, type CheckName, isUuid } from '../calls/call.ts'
import type { Task } from '../world/world.ts'
import { type Breach, operations } from './breach.ts'

const named = (kind: string, ops: readonly string[]) => ops.map((op) => `auth.${kind}.${op}`)
const ofIds = operations.filter((op) => op !== 'export')
const besides = (op: string) => `auth.invalid-besides.${op}.status`
const late: readonly CheckName[] = ['key', 'permission']

/** Who is let in, and what is looked at before that. */
const keys: Breach = {
  of: [
    ...['missing-key', 'invalid-key', 'key-case'].flatMap((kind) => named(kind, operations)),
    ...named('before-lookup', ofIds),
    ...['assign.update', 'assign.unassign', 'export'].map(besides),
  ],
  rules: (broken, { open, stated }) => ({
    stated: {
      keyIsRequired: (call) => !broken(`auth.missing-key.${call.op}`) && stated.keyIsRequired(call),
      keyIsValid: (call) => {
        if (broken(`auth.invalid-key.${call.op}`) || stated.keyIsValid(call)) return true
        const isLike = call.given.toLowerCase() === call.key.toLowerCase()
        return isLike && broken(`auth.key-case.${call.op}`)
      },
    },
    open: {
      order: (call) => {
        const usual = open.order(call)
        // An order that was seen says more than a clause that warned of it.
        if (usual[0] !== 'key') return usual
        if (broken(besides(call.op)))
          return [...usual.filter((check) => !late.includes(check)), ...late]
        return broken(`auth.before-lookup.${call.op}`) ? ['path', 'found', ...usual] : usual
      },
    },
  }),
}

/** Resources for ids that nobody has. */
const lookups: Breach = {
  of: [
    'task.read.not-found',
    'assessment.read.not-found',
    'assign.not-found.update',
    'assign.not-found.unassign',
    'task.read.malformed-id.status',
    'assessment.read.malformed-id.status',
    'assign.malformed-id',
    'assign.malformed-id.status',
  ],
  rules: (broken, { open, stated }) => ({
    stated: {
      taskFor: (call) =>
        stated.taskFor(call) ??
        (isUuid(call.id) && broken(notFoundOf(call)) ? call.tasks[0] : undefined) ??
        (isUpdate(call) && broken('assign.malformed-id') ? nearest(call) : undefined),
      assessmentFor: (call) =>
        stated.assessmentFor(call) ??
        (isUuid(call.id) && broken('assessment.read.not-found') ? call.assessments[0] : undefined),
    },
    open: {
      malformedIdStatus: (call) => {
        const usual = open.malformedIdStatus(call)
        const asked = isUpdate(call) ? 'assign' : call.op
        return usual === 404 && broken(`${asked}.malformed-id.status`) ? 422 : usual
      },
    },
  }),
}

const isUpdate = ({ op }: Call) => op.startsWith('assign.')

const notFoundOf = (call: Call) =>
  isUpdate(call) ? call.op.replace('assign.', 'assign.not-found.') : 'task.read.not-found'

/** The task whose id begins as one does that is none. */
const nearest = ({ id: given, tasks }: Call & { tasks: readonly Task[] }) =>
  isUuid(given) ? undefined : tasks.find(({ id }) => given.startsWith(id.slice(0, -1)))

export const breachesOfAccess = [keys, lookups]
