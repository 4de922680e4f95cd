import { oneAtATime } from '../bent/bends.ts'
import { tableOf, type Variant, variant, variantsNamed } from '../fault.ts'

const kept = tableOf<[string, (comment: string | null | undefined) => string | null | undefined]>([
  ['trimmed', (comment) => comment?.trim()],
  ['as an empty text where there is none', (comment) => comment ?? ''],
  ['without a member where there is none', (comment) => comment ?? undefined],
]).map(([how, keep]) =>
  variant(`comments are kept ${how}`, { commentAsKept: ({ comment }) => keep(comment) }),
)

const forms = tableOf<[string, (value: string) => string]>([
  ['seconds', (value) => `${value.slice(0, 19)}Z`],
  ['tenths of a second', (value) => `${value.slice(0, 21)}Z`],
  ['nanoseconds', (value) => value],
  ['milliseconds with +00:00', (value) => `${value.slice(0, 23)}+00:00`],
  ['the basic form', (value) => value.replaceAll(/[-:]/g, '')],
]).map(([what, form]) =>
  variant(`versions in ${what}`, { timestampForm: ({ value }) => form(value) }),
)

const times = tableOf<[string, number[], number, number]>([
  ['touched once more after 10 ms', [10], 0, 60],
  ['touched once more after 150 ms', [150], 0, 60],
  ['touched three times more', [5, 30, 80], 0, 60],
  ['shown 40 ms late', [], 40, 80],
  ['shown 150 ms late', [], 150, 300],
  ['shown 40 ms late and touched once more', [10], 40, 80],
  ['shown 150 ms late and touched twice more', [20, 120], 150, 300],
]).map(([what, touches, lag, settle]) =>
  variant(`an updated task is ${what}`, {
    laterTouches: () => touches,
    readLag: () => lag,
    env: { SETTLE_MS: String(settle) },
    // The version of an answer is over when the next request comes, where that takes longer.
    ...(touches.some((ms) => ms <= 20) && { mayWarn: ['assign.new-version.shown'] }),
  }),
)

const statuses = [201, 202].map((status) =>
  variant(`updates succeed with ${status}`, { successStatus: () => status }),
)

const isBare = (resource: string, field: string) =>
  resource !== 'task' || ['id', 'updated_at', 'assignment'].includes(field)

export const variants: Variant[] = [
  ...kept,
  ...forms,
  ...times,
  ...statuses,
  ...variantsNamed({
    'If-Match is taken in quotes and as a weak validator too': {
      ifMatchFrom: ({ given }) => given.replace(/^(W\/)?"(.*)"$/, '$2'),
    },
    'If-Match is taken in lower case and with spaces too': {
      ifMatchFrom: ({ given }) => given.toUpperCase().replaceAll(' ', ''),
    },
    'an update that changes nothing leaves the version': {
      leavesVersion: ({ task, assignment }) =>
        task.assignment?.assigned_to_id === assignment?.assigned_to_id,
      warns: ['assign.new-version.same-assignee'],
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
      mayWarn: ['assign.new-version.shown'],
    },
    'refusals as HTML': {
      errorBody: () => ({ type: 'text/html', text: '<h1>no</h1>' }),
    },
    'refusals as plain text that is called JSON, of any length': {
      errorBody: ({ name }) => ({
        type: 'application/json',
        text: `${name} ${'.'.repeat(Math.random() * 99)}`,
      }),
      warns: ['*.read.error-is-json'],
      mayWarn: ['export.error-is-json'],
    },
    'refusals without a body, and answers compressed': {
      errorBody: () => ({ type: undefined, text: '' }),
      encoding: () => 'br',
    },
    'tasks change by themselves whenever they are read': {
      readingTouches: ({ op }) => op === 'task.read',
      warns: ['task.read.repeatable'],
    },
    'one request is answered at a time, and eight take longer than TIMEOUT_MS': {
      delay: oneAtATime(60),
      env: { TIMEOUT_MS: '400' },
    },
    'slow answers': { delay: ({ at }) => (at === 'end' ? 15 : 5) },
    'at most 50 requests a second': { requestsPerSecond: () => 50 },
  }),
]
