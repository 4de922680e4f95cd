import type { Variant } from '../fault.ts'

const kept = (
  [
    ['trimmed', (comment) => comment?.trim()],
    ['as an empty text where there is none', (comment) => comment ?? ''],
    ['without a member where there is none', (comment) => comment ?? undefined],
  ] satisfies [string, (comment: string | null | undefined) => string | null | undefined][]
).map(
  ([how, keep]): Variant => ({
    name: `comments are kept ${how}`,
    open: { commentAsKept: ({ comment }) => keep(comment) },
  }),
)

const forms = (
  [
    ['seconds', (value) => `${value.slice(0, 19)}Z`],
    ['tenths of a second', (value) => `${value.slice(0, 21)}Z`],
    ['nanoseconds', (value) => value],
    ['milliseconds with +00:00', (value) => `${value.slice(0, 23)}+00:00`],
    ['the basic form', (value) => value.replaceAll(/[-:]/g, '')],
  ] satisfies [string, (value: string) => string][]
).map(
  ([what, form]): Variant => ({
    name: `versions in ${what}`,
    open: { timestampForm: ({ value }) => form(value) },
  }),
)

const times = (
  [
    ['touched once more after 10 ms', [10], 0, 60],
    ['touched once more after 150 ms', [150], 0, 60],
    ['touched three times more', [5, 30, 80], 0, 60],
    ['shown 40 ms late', [], 40, 80],
    ['shown 150 ms late', [], 150, 300],
    ['shown 40 ms late and touched once more', [10], 40, 80],
    ['shown 150 ms late and touched twice more', [20, 120], 150, 300],
  ] satisfies [string, number[], number, number][]
).map(
  ([what, touches, lag, settle]): Variant => ({
    name: `an updated task is ${what}`,
    open: { laterTouches: () => touches, readLag: () => lag },
    env: { SETTLE_MS: String(settle) },
    // The version of an answer is over when the next request comes, where that takes longer.
    ...(touches.some((ms) => ms <= 20) && { mayWarn: ['assign.new-version.shown'] }),
  }),
)

const statuses = [201, 202].map(
  (status): Variant => ({
    name: `updates succeed with ${status}`,
    open: { successStatus: () => status },
  }),
)

const isBare = (resource: string, field: string) =>
  resource !== 'task' || ['id', 'updated_at', 'assignment'].includes(field)

export const variants: Variant[] = [
  ...kept,
  ...forms,
  ...times,
  ...statuses,
  {
    name: 'If-Match is taken in quotes and as a weak validator too',
    open: { ifMatchFrom: ({ given }) => given.replace(/^(W\/)?"(.*)"$/, '$2') },
  },
  {
    name: 'If-Match is taken in lower case and with spaces too',
    open: { ifMatchFrom: ({ given }) => given.toUpperCase().replaceAll(' ', '') },
  },
  {
    name: 'an update that changes nothing leaves the version',
    open: {
      leavesVersion: ({ task, assignment }) =>
        task.assignment?.assigned_to_id === assignment?.assigned_to_id,
    },
    warns: ['assign.new-version.same-assignee'],
  },
  {
    name: 'data_version stays, and locked_at becomes the time of the update',
    open: { nextDataVersion: ({ task }) => task.data_version, nextLockedAt: ({ now }) => now },
  },
  {
    name: 'tasks hold nothing but their ids and versions',
    open: { shownValue: ({ resource, field, value }) => (isBare(resource, field) ? value : null) },
  },
  { name: 'ids in upper case', open: { idForm: ({ value }) => value.toUpperCase() } },
  {
    name: 'fields beyond the tables',
    open: { extraFields: () => ({ _links: { self: '/' }, served: Math.random() }) },
  },
  {
    name: 'refusals as HTML',
    open: { errorBody: () => ({ type: 'text/html', text: '<h1>no</h1>' }) },
    warns: ['*.read.error-is-json'],
  },
  {
    name: 'refusals without a body, and answers compressed',
    open: { errorBody: () => ({ type: undefined, text: '' }), encoding: () => 'br' },
  },
  {
    name: 'tasks change by themselves whenever they are read',
    stated: { readingTouches: ({ op }) => op === 'task.read' },
    warns: ['task.read.repeatable'],
  },
  { name: 'slow answers', open: { delay: ({ at }) => (at === 'end' ? 15 : 5) } },
  { name: 'at most 50 requests a second', open: { requestsPerSecond: () => 50 } },
]
