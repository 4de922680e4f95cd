import { metadataKeys } from '../calls/events.ts'
import { parameters } from '../calls/export-call.ts'
import { operations } from './breach.ts'
import { isMembers } from './seen.ts'

type Known = (value: unknown) => boolean

// What the data at hand did not show.
const notKnown: Known = (value) => value === 'not known'

const text: Known = (value) => typeof value === 'string'
const count: Known = (value) => Number.isInteger(value) && (value as number) >= 0
const flag: Known = (value) => typeof value === 'boolean'
const status: Known = (value) =>
  Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599
const like =
  (pattern: RegExp): Known =>
  (value) =>
    text(value) && pattern.test(value as string)
const among =
  (...words: unknown[]): Known =>
  (value) =>
    words.includes(value)
const either =
  (...all: Known[]): Known =>
  (value) =>
    all.some((isKnown) => isKnown(value))
const listOf =
  (each: Known): Known =>
  (value) =>
    Array.isArray(value) && value.every(each)

/** An object with no other members than these, each known or not shown. */
const membersOf =
  (members: Record<string, Known>): Known =>
  (value) =>
    isMembers(value) &&
    Object.entries(value).every(
      ([name, each]) =>
        Object.hasOwn(members, name) && either(notKnown, members[name] as Known)(each),
    )
/** An object with any of these members, all of one kind. */
const eachOf = (names: readonly string[], known: Known): Known =>
  membersOf(Object.fromEntries(names.map((name) => [name, known])))

const type = 'string|number|boolean|object|array|null'
const types = like(new RegExp(`^(${type})( or (${type}))*$`))

/** The fields of a service's own, by name. */
const fields: Known = (value) =>
  isMembers(value) && Object.values(value).every(either(types, notKnown))

const shape: Known = (value) => {
  if (Array.isArray(value)) return value.every(shape)
  return isMembers(value) ? Object.values(value).every(shape) : types(value)
}
const refused = membersOf({
  status,
  mediaType: either(text, among(null)),
  body: either(shape, among('empty', 'not JSON')),
})
const ofReads = ['unknown id', 'words', 'a digit', 'a UUID cut short', 'no key']
const ofUpdates = ['unknown id', 'no key', 'stale If-Match', 'no If-Match', 'neither object']
const ofExports = ['reversed range', 'file-type', 'metadata-key', 'range-form', 'timezone']
const bodies = (names: string[]) => eachOf(names, either(refused, among('accepted')))
const ofCodes: Known = (value) =>
  isMembers(value) &&
  Object.values(value).every((code) => ['string', 'number', 'boolean'].includes(typeof code))
const codes = (names: string[]) => eachOf(names, either(among('accepted'), ofCodes))

const effect = membersOf({
  accepted: status,
  refused,
  assignment: among('kept', 'changed', 'removed'),
})
const movement = listOf(among('stays', 'by one', 'up', 'down', 'becomes updated_at', 'changes'))
const events = among('the same events', 'no event', 'all events', 'other events')
const mediaType = like(/^none$|\//)
const encodings = listOf(like(/^\w+$/))
const way = membersOf({ status, content: text, disposition: text })
const answered = either(status, among('accepted'))

/** What the values of clauses can be, where that is more than what the aspect itself says. */
const known: Record<string, Known> = {
  'task.read.success-status': listOf(status),
  'assessment.read.success-status': listOf(status),
  'assign.success-status': eachOf(['update', 'unassign'], listOf(status)),
  'task.read.content-type': listOf(mediaType),
  'assessment.read.content-type': listOf(mediaType),
  'assign.content-type': listOf(mediaType),
  'assessment.read.states': listOf(among('Active', 'Cancelled', 'Error')),
  'task.read.cache-headers': membersOf({
    'cache-control': either(text, among(null)),
    others: listOf(text),
  }),
  'export.headers': eachOf(['csv', 'pdf'], listOf(text)),
  'limits.rate': membersOf({
    tooMany: among('met', 'not met'),
    retryAfter: listOf(text),
    headers: listOf(text),
  }),
  'assessment.read.error-field-types': eachOf(
    ['error_message', 'error_details', 'error_step', 'error_type'],
    types,
  ),
  'task.read.extra-fields': fields,
  'assessment.read.extra-fields': fields,
  'assign.data-version-rule': movement,
  'assign.locked-at-rule': movement,
  'assign.status-rule': movement,
  'task.read.error-body': bodies(ofReads),
  'assessment.read.error-body': bodies(ofReads),
  'assign.error-body': bodies(ofUpdates),
  'export.error-body': bodies(ofExports),
  'task.read.error-codes': codes(ofReads),
  'assessment.read.error-codes': codes(ofReads),
  'assign.error-codes': codes(ofUpdates),
  'export.error-codes': codes(ofExports),
  'assign.both-objects': effect,
  'assign.neither-object': effect,
  'assign.unknown-assignee': effect,
  'assign.extra-fields': effect,
  'assign.unassign-unassigned': effect,
  'assign.same-assignee': effect,
  'assign.status-of-invalid-body': (value) =>
    isMembers(value) && Object.values(value).every(either(answered, notKnown)),
  'version.missing-status': answered,
  'assign.comment-limit': eachOf(['256', '1025', '5001'], either(status, like(/^kept \d+$/))),
  'versioning.path': membersOf({
    base: among('ends in /v5', 'does not end in /v5'),
    without: status,
  }),
  'export.unknown-parameter': membersOf({ status }),
  'export.locale-unsupported': eachOf(
    ['no language (zz)', 'Latin (la)', 'no code (xyz)'],
    either(status, among('as in English', 'another file')),
  ),
  'export.metadata-bracket-encoding': eachOf(['encoded', 'dot'], either(status, events)),
  'export.filter-case': eachOf(
    ['auditee_id', 'event_type', 'entity_id', 'tag'],
    either(status, events),
  ),
  'export.range.null': eachOf(['null', 'empty'], either(status, text)),
  'assign.validation-order': (value) =>
    isMembers(value) && Object.values(value).every(either(answered, notKnown)),
  'export.validation-order': eachOf(['bad key, reversed range'], status),
  'assign.comment-trimming': eachOf(['leading', 'trailing'], flag),
  'export.array-encoding': eachOf(['one', 'several'], encodings),
  'export.csv-size-limit': membersOf({ status }),
  'export.delivery': eachOf(['csv', 'pdf'], way),
  'export.csv-content-type': mediaType,
  'export.pdf-content-type': mediaType,
  'export.file-name': eachOf(['csv', 'pdf'], text),
  'export.bom': membersOf({ byteOrderMark: flag, encoding: text }),
  'export.header-row': membersOf({ header: flag, linesBeforeRows: count, linesBehindRows: count }),
  'export.row-order': either(
    among('none seen'),
    membersOf({ by: either(text, count), order: among('ascending', 'descending') }),
  ),
  'export.filter-columns': eachOf(
    [...parameters, ...metadataKeys.map((key) => `metadata.${key}`)],
    membersOf({ column: either(text, count), form: text }),
  ),
  'audit.refused-not-recorded': either(
    among('none', 'some time later'),
    membersOf({ events: among('one', 'more'), comment: flag }),
  ),
  'notify.refused': among(
    ...['nobody', 'who would have been assigned', 'somebody', 'somebody, some time later'],
  ),
  'notify.others': membersOf({
    others: listOf(among('nobody', 'the assignee before', 'who assigns', 'somebody else')),
    twice: among('nobody', 'the assignee'),
  }),
  'auth.key-permissions': eachOf(operations, among('may', 'may not')),
}

/** Whether a clause can have seen such a value. */
export const isKnownValue = (id: string, value: unknown): boolean =>
  known[id] === undefined || notKnown(value) || known[id](value)
