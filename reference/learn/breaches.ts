import type { Call } from '../calls/call.ts'
import { metadataKeys } from '../calls/events.ts'
import { parameters } from '../calls/export-call.ts'
import { open } from '../rules/open.ts'
import { stated } from '../rules/stated.ts'
import type { Bends } from './aspect.ts'

/** Whether a clause was broken, and is to be. */
type Broken = (id: string) => boolean

/** The rules that break what was broken, each as far as a clause alone tells how. */
const breaches: ((broken: Broken, rules: Required<Bends>) => Bends)[] = [
  (broken, { open: { order = open.order } }) => ({
    open: {
      order: (call) => {
        const usual = order(call)
        if (!broken(`auth.before-lookup.${call.op}`)) return usual
        return ['path', 'found', ...usual]
      },
    },
  }),
  (broken) => ({
    stated: {
      keyIsRequired: ({ op }) => !broken(`auth.missing-key.${op}`),
      keyIsValid: (call) => broken(`auth.invalid-key.${call.op}`) || stated.keyIsValid(call),
    },
  }),
  (broken) => ({
    stated: {
      taskFor: (call) =>
        stated.taskFor(call) ?? (broken(notFoundOf(call)) ? call.tasks[0] : undefined),
      assessmentFor: (call) =>
        stated.assessmentFor(call) ??
        (broken('assessment.read.not-found') ? call.assessments[0] : undefined),
    },
  }),
  (broken) => ({
    stated: {
      ifMatchIsRequired: ({ op }) =>
        !broken(op === 'assign.unassign' ? 'version.required.unassign' : 'version.required'),
      versionMatches: (compared) => {
        const anyIs = compared.op === 'assign.unassign' ? anyOfUnassign : anyOfUpdate
        return anyIs.filter(broken).length > 0 || stated.versionMatches(compared)
      },
    },
  }),
  (broken) => ({
    stated: {
      requiredFields: (call) => {
        const prefix = call.op === 'assign.unassign' ? 'unassign-' : ''
        const isLeft = (field: string) => !broken(`assign.required.${prefix}${field}`)
        return stated.requiredFields(call).filter(isLeft)
      },
      typeIsAllowed: (call) => broken('assign.type-values') || stated.typeIsAllowed(call),
      sentFieldIsRight: (call) => broken('assign.field-types') || stated.sentFieldIsRight(call),
      contentTypeIsRight: (call) =>
        broken('assign.content-type-required') || stated.contentTypeIsRight(call),
    },
    open: {
      leavesVersion: ({ task, assignment }) =>
        broken('assign.new-version.same-assignee') &&
        task.assignment !== null &&
        task.assignment.assigned_to_id === assignment?.assigned_to_id,
    },
  }),
  (broken) => ({
    stated: {
      stored: (update) => (broken('assign.persisted') ? update.task : stated.stored(update)),
    },
  }),
  (broken) => ({
    stated: {
      filters: (asked) =>
        stated.filters(asked).filter(({ of, name }) => !filterClauses(of, name).some(broken)),
      range: (asked) => (broken('export.range.outside') ? noRange : stated.range(asked)),
      rangeRefusal: (asked) =>
        broken(`export.range.reversed.${asked.fileType}`) ? undefined : stated.rangeRefusal(asked),
      sizeRefusal: (asked) =>
        broken('export.pdf-limit.over') ? undefined : stated.sizeRefusal(asked),
    },
  }),
  (broken) => ({
    stated: {
      recorded: (change) => (broken('audit.assignment-recorded') ? [] : stated.recorded(change)),
      mails: (change) => (broken('notify.user') ? [] : stated.mails(change)),
    },
  }),
]

const noRange = { start: undefined, end: undefined }
const anyOfUpdate = [
  'version.stale.assign',
  'version.stale.reassign',
  'version.wrong.older',
  'version.wrong.future',
]
const anyOfUnassign = ['version.stale.unassign', 'version.wrong.unassign']

const notFoundOf = ({ op }: Call) =>
  op.startsWith('assign.') ? op.replace('assign.', 'assign.not-found.') : 'task.read.not-found'

const filterClauses = (of: 'event' | 'metadata', name: string) => {
  const stem = `export.${of === 'event' ? 'filter' : 'metadata'}.${name}`
  return [`${stem}.unknown-value`, `${stem}.narrows`]
}

const operations = ['task.read', 'assign.update', 'assign.unassign', 'assessment.read', 'export']

/** The clauses that can be broken as they were. */
export const breakable: ReadonlySet<string> = new Set([
  ...['missing-key', 'invalid-key'].flatMap((kind) => operations.map((op) => `auth.${kind}.${op}`)),
  ...operations.flatMap((op) => (op === 'export' ? [] : [`auth.before-lookup.${op}`])),
  'task.read.not-found',
  'assessment.read.not-found',
  'assign.not-found.update',
  'assign.not-found.unassign',
  'version.required',
  'version.required.unassign',
  ...anyOfUpdate,
  ...anyOfUnassign,
  ...['assigned_by_id', 'assigned_to_id', 'assigned_to_type', 'unassign-assigned_by_id'].map(
    (field) => `assign.required.${field}`,
  ),
  'assign.type-values',
  'assign.field-types',
  'assign.content-type-required',
  'assign.new-version.same-assignee',
  'assign.persisted',
  ...parameters.flatMap((name) => filterClauses('event', name)),
  ...metadataKeys.flatMap((name) => filterClauses('metadata', name)),
  'export.range.outside',
  'export.range.reversed.csv',
  'export.range.reversed.pdf',
  'export.pdf-limit.over',
  'audit.assignment-recorded',
  'notify.user',
])

/** The rules that break these clauses, where that is known; `rules` are those that they bend further. */
export function bendsOfBreaches(ids: readonly string[], rules: Required<Bends>): Bends[] {
  const wanted = new Set(ids.filter((id) => breakable.has(id)))
  if (wanted.size === 0) return []
  return breaches.map((bends) => bends((id) => wanted.has(id), rules))
}
