import { type Call, Fault } from '../model.ts'
import { json } from '../router.ts'
import { natural, stated } from './bug.ts'

const KEY = 'Every operation requires the header `apikey` with a valid API key value (<API_KEY>).'
const REFUSED =
  'When the header is missing or the key is invalid, the service answers 401 Unauthorized.'

/** Who gets in. */
export const accessBugs = [
  stated({
    name: 'key-ignored-on-task-read',
    breaks: REFUSED,
    does: 'GET of a task never looks at the key',
    hooks: () => ({ keyAccepted: (ok, { call }) => ok || call.op === 'task' }),
  }),
  stated({
    name: 'key-prefix-enough-on-export',
    breaks: REFUSED,
    does: 'the export takes every key that begins with the first twelve characters of the key',
    hooks: () => ({
      keyAccepted: (ok, { call, expected }) =>
        ok ||
        (call.op === 'export' &&
          (call.header('apikey') ?? '').slice(0, 12) === expected.slice(0, 12)),
    }),
  }),
  stated({
    name: 'missing-key-403-on-assessment',
    breaks: REFUSED,
    does: 'an assessment asked for without the header is refused by 403, not 401',
    hooks: () => ({
      fault: (fault, { call }) =>
        fault.status === 401 && call.op === 'assessment' && call.header('apikey') === undefined
          ? new Fault(403, 'FORBIDDEN', 'forbidden')
          : fault,
    }),
  }),
  stated({
    name: 'change-made-despite-401',
    breaks: KEY,
    does: 'an update with a wrong key is answered by 401, but it has been carried out',
    hooks: () => {
      const intruders = new WeakSet<Call>()
      return {
        keyAccepted: (ok, { call }) => {
          if (!ok && call.op === 'update') intruders.add(call)
          return ok || call.op === 'update'
        },
        reply: (reply, { call }) =>
          intruders.has(call) ? json(401, { fault: 'KEY_NOT_KNOWN', request: call.n }) : reply,
      }
    },
  }),
  stated({
    name: 'cached-task-served-without-key',
    breaks: KEY,
    does: 'a task that was read once with the key comes from a cache, which stands in front of the key check',
    hooks: () => {
      const cached = new Set<string>()
      return {
        keyAccepted: (ok, { call }) => {
          if (ok && call.op === 'task') cached.add(call.id)
          return ok || (call.op === 'task' && cached.has(call.id))
        },
      }
    },
  }),
  stated({
    name: 'empty-key-accepted-on-update',
    breaks: REFUSED,
    does: 'an update with an empty apikey header counts as one of the service itself',
    hooks: () => ({
      keyAccepted: (ok, { call }) => ok || (call.op === 'update' && call.header('apikey') === ''),
    }),
  }),
  stated({
    name: 'version-checked-before-key',
    breaks: REFUSED,
    does: 'an update with a wrong key and a stale If-Match is answered by 409',
    warns: 'which of two refusals that both fit comes first is not shown',
    hooks: () => ({
      reply: (reply, { call, fault, peek }) => {
        const task = call.op === 'update' && fault?.status === 401 ? peek(call.id) : undefined
        return task && call.header('if-match') !== task.updated_at
          ? json(409, { fault: 'VERSION_MISMATCH', request: call.n })
          : reply
      },
    }),
  }),
  stated({
    name: 'unknown-task-answered-in-html',
    breaks:
      'All request and response bodies are JSON, except the audit export, which returns a file.',
    does: 'the 404 of a task read is an HTML page',
    warns: 'the shape of error bodies is not shown',
    hooks: () => ({
      reply: (reply, { call }) =>
        reply.status === 404 && call.op === 'task'
          ? {
              status: 404,
              headers: { 'content-type': 'text/html' },
              payload: Buffer.from('<html><body><h1>Not Found</h1></body></html>'),
            }
          : reply,
    }),
  }),
  natural({
    name: 'refused-caller-sees-the-task',
    breaks: 'natural: a caller who is refused with 401 learns nothing about the task',
    does: 'the 401 of a task read carries the whole task',
    hooks: () => ({
      reply: (reply, { call, peek }) => {
        const task = call.op === 'task' && reply.status === 401 ? peek(call.id) : undefined
        return task ? { ...reply, payload: { ...(reply.payload as object), ...task } } : reply
      },
    }),
  }),
] as const
