import type { Update } from '../../../reference/calls/call.ts'
import { type Choice, type Open, open } from '../../../reference/rules/open.ts'
import { type Assignment, makeWorld } from '../../../reference/world/world.ts'
import { allAssignedTo, lent, oneAtATime } from '../bent/around.ts'
import { tableOf, type Variant, variant, variantsOf } from '../fault.ts'
import { refusingAllAtOnce } from '../faults/concurrency.ts'

type Touched = [touches: number[], lag: number, settle: number]

const isBare = (resource: string, field: string) =>
  resource !== 'task' || ['id', 'updated_at', 'assignment'].includes(field)

export const manners: Variant[] = [
  ...variantsOf('commentAsKept', {
    'comments are kept trimmed': ({ comment }) => comment?.trim(),
    'comments are kept as an empty text where there is none': ({ comment }) => comment ?? '',
    'comments are kept without a member where there is none': ({ comment }) => comment ?? undefined,
  }),
  ...variantsOf('timestampForm', {
    'versions in seconds': ({ value }) => `${value.slice(0, 19)}Z`,
    'versions in tenths of a second': ({ value }) => `${value.slice(0, 21)}Z`,
    'versions in nanoseconds': ({ value }) => value,
    'versions in milliseconds with +00:00': ({ value }) => `${value.slice(0, 23)}+00:00`,
    'versions in the basic form': ({ value }) => value.replaceAll(/[-:]/g, ''),
  }),
  ...variantsOf(
    ([touches, lag, settle]: Touched) => ({
      laterTouches: () => touches,
      readLag: () => lag,
      env: { SETTLE_MS: String(settle) },
      // The version of an answer is over when the next request comes, where that takes longer.
      ...(touches.some((ms) => ms <= 20) && { mayWarn: 'assign.new-version.shown' }),
    }),
    {
      'an updated task is touched once more after 10 ms': [[10], 0, 60],
      'an updated task is touched once more after 150 ms': [[150], 0, 60],
      'an updated task is touched three times more': [[5, 30, 80], 0, 60],
      'an updated task is shown 40 ms late': [[], 40, 80],
      'an updated task is shown 150 ms late': [[], 150, 300],
      'an updated task is shown 40 ms late and touched once more': [[10], 40, 80],
      'an updated task is shown 150 ms late and touched twice more': [[20, 120], 150, 300],
    },
  ),
  ...[201, 202].map((status) =>
    variant(`updates succeed with ${status}`, { successStatus: () => status }),
  ),
  ...variantsOf({
    'If-Match is taken in quotes and as a weak validator too': {
      ifMatchFrom: ({ given }) => given.replace(/^(W\/)?"(.*)"$/, '$2'),
    },
    'If-Match is taken in lower case and with spaces too': {
      ifMatchFrom: ({ given }) => given.toUpperCase().replaceAll(' ', ''),
    },
    'an update that changes nothing leaves the version': {
      leavesVersion: ({ task, assignment }) =>
        task.assignment?.assigned_to_id === assignment?.assigned_to_id,
      warns: 'assign.new-version.same-assignee',
    },
    'data_version stays, and locked_at becomes the time of the update': {
      nextDataVersion: ({ task }) => task.data_version,
      nextLockedAt: ({ now }) => now,
    },
    'tasks hold nothing but their ids and versions': {
      shownValue: ({ resource, field, value }) => (isBare(resource, field) ? value : null),
    },
    'ids in upper case': { idForm: ({ value }) => value.toUpperCase() },
    'fields beyond the tables': {
      extraFields: () => ({ _links: { self: '/' }, served: Math.random() }),
    },
    'a job writes a due date 5 ms after each assignment': {
      laterTouches: () => [5],
      writtenLater: ({ after }) => ({ custom_metadata: { due: after.updated_at } }),
    },
    'a job renames the task 20 ms after each update, and reads lag': {
      readLag: () => 30,
      laterTouches: () => [20],
      writtenLater: ({ after }) => ({ name: `${after.c_name} ${after.updated_at}` }),
      env: { SETTLE_MS: '80' },
    },
    'a job counts each update right after it': {
      laterTouches: () => [0],
      writtenLater: ({ after }) => ({ data_version: after.data_version + 1 }),
    },
    'a job keeps metadata only while the task is assigned': {
      laterTouches: () => [15],
      writtenLater: ({ after }) => ({
        custom_metadata: after.assignment ? { marked: true } : null,
      }),
      warns: '?assign.new-version.shown',
    },
    'refusals as HTML': { errorBody: () => ({ type: 'text/html', text: '<h1>no</h1>' }) },
    'refusals as plain text that is called JSON, of any length': {
      errorBody: ({ name }) => ({
        type: 'application/json',
        text: `${name} ${'.'.repeat(Math.random() * 99)}`,
      }),
      warns: '*.read.error-is-json ?export.error-is-json',
    },
    'refusals without a body, and answers compressed': {
      errorBody: () => ({ type: undefined, text: '' }),
      encoding: () => 'br',
    },
    'tasks change by themselves whenever they are read': {
      readingTouches: ({ op }) => op === 'task.read',
      warns: 'task.read.repeatable',
    },
    'one request is answered at a time, and eight take longer than TIMEOUT_MS': {
      delay: oneAtATime(60),
      env: { TIMEOUT_MS: '400' },
    },
    'slow answers': { delay: ({ at }) => (at === 'end' ? 15 : 5) },
    'at most 50 requests a second': { requestsPerSecond: () => 50 },
  }),
]

// The answer to an invalid request is open, but accepting it is noticed.
const warnedOf500 = `assign.required.*.status assign.type-values.status assign.field-types
  assign.not-json`

const unassigns = ({ op, task }: Update) => op === 'assign.unassign' && task.assignment === null

const isSame = ({ op, task, sent }: Update) =>
  op === 'assign.update' &&
  task.assignment !== null &&
  task.assignment.assigned_to_id === sent.assigned_to_id

const [actor, first, , last] = makeWorld(1).users

/** Then an If-Match that was current is so no longer when its update would be stored. */
function changedWhenUpdatesMeet(): Variant {
  const turns = refusingAllAtOnce()
  let isLost = false
  return variant('a task changes by itself whenever updates of it meet', {
    ...turns,
    losesItsTurn: (update) => {
      isLost = turns.losesItsTurn(update)
      return isLost
    },
    effectOfRefusal: () => {
      const effect = isLost ? 'touched' : 'none'
      isLost = false
      return effect
    },
  })
}

const personIsTaken: Open['personIsTaken'] = ({ field }) => field !== 'assigned_by_id'

export const refusals: Variant[] = [
  ...[400, 403, 404, 409, 415, 500].map((status) =>
    variant(`invalid bodies are answered ${status}`, {
      invalidBodyStatus: () => status,
      notJsonStatus: () => status,
      contentTypeStatus: () => status,
      warns: status < 500 ? [] : warnedOf500,
    }),
  ),
  variant('the content type is not looked at', { otherMediaTypeIsTaken: () => true }),
  variant('an update that is sent as text is answered 200, and ignored', {
    contentTypeStatus: () => 200,
  }),
  ...[400, 405, 409, 422].map((status) =>
    variant(`updates of ids that are no UUIDs are answered ${status}`, {
      malformedIdStatus: ({ op }) => (op.startsWith('assign.') ? status : 404),
      warns: 'assign.malformed-id.status',
    }),
  ),
  ...[400, 409, 412, 422, 500].map((status) =>
    variant(`a missing If-Match is answered ${status}`, { missingIfMatchStatus: () => status }),
  ),
  ...(['update', 'unassign', 'nothing'] satisfies Choice[]).map((choice) =>
    variant(`of both objects ${choice} is taken, and where there is neither nothing is done`, {
      whenBoth: () => choice,
      whenNeither: () => 'nothing',
    }),
  ),
  ...[400, 404, 409, 422].map((status) =>
    variant(`unassigning the unassigned is answered ${status}`, {
      stateRefusal: (update) => (unassigns(update) ? status : undefined),
    }),
  ),
  ...[409, 422].map((status) =>
    variant(`assigning to the same assignee is answered ${status}`, {
      stateRefusal: (update) => (isSame(update) ? status : undefined),
    }),
  ),
  ...variantsOf({
    'the first user alone is taken as an assignee, and not twice': {
      refuses: true,
      held: (given) => (given.assigned_to_id === first?.id ? given : null),
      personIsTaken: ({ field, sent }) =>
        field === 'assigned_by_id' || sent.assigned_to_id === first?.id,
      stateRefusal: (update) => (isSame(update) ? 422 : undefined),
    },
    'unassigning the unassigned is taken, whatever the version': {
      versionMatches: ({ op, task, given, current }) =>
        given === current || (op === 'assign.unassign' && task.assignment === null),
      leavesVersion: (update) => unassigns(update),
    },
    // As a guard against attacks does, which stands before the service.
    'comments with markup or ${ are answered 403': {
      commentIsTaken: ({ comment }) => !/<|\$\{/.test(comment),
      invalidBodyStatus: (call) => (call.flaw === 'comment' ? 403 : open.invalidBodyStatus(call)),
      held: (given) => ({ ...given, assignment_comment: null }),
    },
    'the assigner is taken from nobody whom the service does not know': {
      refuses: true,
      personIsTaken,
    },
    'the assigner is taken from one user alone': {
      personIsTaken: ({ field, sent }) =>
        field !== 'assigned_by_id' || sent.assigned_by_id === actor?.id,
    },
    'nobody may assign, and every task is assigned to the same user': {
      refuses: true,
      surroundings: lent((all) => all, { change: allAssignedTo('USER'), open: { personIsTaken } }),
    },
    'fields that the contract does not name are refused': { memberIsTaken: () => false },
  }),
  ...tableOf<[string, ReturnType<Open['order']>, ('update' | 'unassign')[]?]>([
    ['the version comes before the body', ['key', 'found', 'if-match', 'version', 'body']],
    ['the body comes before the task', ['key', 'content-type', 'json', 'body', 'found']],
    ['the state comes before the version', ['key', 'found', 'json', 'body', 'state', 'version']],
    ['the body comes before the key', ['content-type', 'json', 'body', 'key'], ['update']],
    ['the version comes first of all', ['if-match', 'version', 'state'], ['update', 'unassign']],
  ]).map(([name, order, besides = []]) =>
    variant(name, {
      // What is invalid besides is refused for that, and most would expect 401.
      warns: besides.map((each) => `auth.invalid-besides.assign.${each}.status`),
      order: () => order,
      stateRefusal: (update) => (isSame(update) || unassigns(update) ? 404 : undefined),
    }),
  ),
  ...tableOf<[string, (comment: string, op: string) => boolean]>([
    ['longer than 255 characters', (comment) => comment.length <= 255],
    ['longer than 50 characters', (comment) => comment.length <= 50],
    ['with what looks like an address', (comment) => !/\w\.\w/.test(comment)],
    ['beyond ASCII', (comment) => /^[\0-\x7f]*$/.test(comment)],
    ['with line breaks or markup', (comment) => !/[\n<]/.test(comment)],
    ['with percent signs or braces', (comment) => !/[%{}]/.test(comment)],
    ['without a space', (comment) => comment === '' || comment.includes(' ')],
    ['to an assignee', (_, op) => op === 'assign.unassign'],
  ]).map(([what, isTaken]) =>
    variant(`comments ${what} are refused`, {
      commentIsTaken: ({ comment, op }) => isTaken(comment, op),
      held: (given) =>
        isTaken(given.assignment_comment ?? '', 'assign.update')
          ? given
          : { ...given, assignment_comment: null },
    }),
  ),
  ...tableOf<[string, (sent: Partial<Assignment>) => boolean]>([
    ['nobody is', () => false],
    ['nobody but teams is', ({ assigned_to_type }) => assigned_to_type === 'TEAM'],
    ['the first user alone is', ({ assigned_to_id }) => assigned_to_id === first?.id],
    ['the last user alone is', ({ assigned_to_id }) => assigned_to_id === last?.id],
    ['everybody but the first user is', ({ assigned_to_id }) => assigned_to_id !== first?.id],
  ]).map(([who, isTaken]) =>
    variant(`${who} taken as an assignee`, {
      refuses: true,
      held: (given) => (isTaken(given) ? given : null),
      personIsTaken: ({ field, sent }) => field === 'assigned_by_id' || isTaken(sent),
    }),
  ),
  changedWhenUpdatesMeet(),
  ...variantsOf((permits: Open['permits']) => ({ refuses: true as const, permits }), {
    'the key may not update': ({ op }) => !op.startsWith('assign.'),
    'the key may not assign': ({ op }) => op !== 'assign.update',
    'the key may not unassign': ({ op }) => op !== 'assign.unassign',
    'the key may not read tasks': ({ op }) => op !== 'task.read',
    'the key may not update some of the tasks': ({ op, id }) =>
      !op.startsWith('assign.') || id > '7',
  }),
]
