import { type Context, Hono } from 'hono'
import { type Call, type Operation, type Reason, refusal } from './calls/call.ts'
import type { AuditEvent } from './calls/events.ts'
import { exportEvents } from './export/export.ts'
import { refuse } from './routes/answer.ts'
import { updateAssignment } from './routes/assign.ts'
import { readAssessment, readTask } from './routes/show.ts'
import { errors } from './rules/errors.ts'
import { open as openRules } from './rules/open.ts'
import { stated as statedRules } from './rules/stated.ts'
import { pdfLimit as statedLimit } from './rules/stated-export.ts'
import { createTrail, type Setup } from './state/setup.ts'
import { createStore } from './world/store.ts'
import { now } from './world/world.ts'

export type Service = ReturnType<typeof createService>

/** Creates the service over a world. Bent rules replace those of the tables. */
export function createService({
  world,
  events,
  stated = statedRules,
  open = openRules,
  clock = now,
  mailer = () => {},
  pdfLimit = statedLimit,
}: Pick<Setup, 'world'> &
  Partial<Pick<Setup, 'stated' | 'open' | 'clock' | 'mailer' | 'pdfLimit'>> & {
    /** the initial audit trail; default: generated */
    events?: AuditEvent[]
  }) {
  const ownClock = () => clock() + open.clockAhead(world)
  const versionForm = (value: string) =>
    open.timestampForm({ resource: 'task', field: 'updated_at', value })
  const store = createStore(world.tasks, ownClock, versionForm)
  const trail = createTrail({ world, events, open, clock: ownClock, pdfLimit })
  const setup: Setup = { world, stated, open, store, trail, mailer, clock: ownClock, pdfLimit }
  const isTooMany = rateLimit(clock)

  const callOf = (c: Arrived, op: Operation): Call => ({
    op,
    // The world's ids are in lower case, and the case of a given one does not matter.
    id: (c.req.param('id') ?? '').toLowerCase(),
    headers: c.req.raw.headers,
    query: new URLSearchParams(open.queryText({ text: new URL(c.req.url).search })),
    address: c.env?.address,
  })

  /** one operation with its limits and its delays */
  const serve =
    (
      op: Operation,
      work: (setup: Setup, call: Call, text: string) => Response | Promise<Response>,
    ) =>
    async (c: Arrived) => {
      const call = callOf(c, op)
      if (isTooMany(open.requestsPerSecond(call))) return tooMany(call)
      const text = await textOf(c.req.raw, largestBody)
      if (text === undefined) return refuse(setup, call, refusal('too large', 413))
      await pause(open.delay({ ...call, at: 'start' }))
      const response = await work(setup, call, text)
      await pause(open.delay({ ...call, at: 'end' }))
      return response
    }

  const tooMany = (call: Call) => {
    const response = refuse(setup, call, refusal('too many', 429))
    const wait = open.retryAfter(call)
    if (wait !== undefined) response.headers.set('retry-after', wait)
    return response
  }

  /** for any path beyond the contract */
  const refuseAs = (reason: Reason, status: number) => (c: Arrived) =>
    refuse(setup, callOf(c, 'unknown'), refusal(reason, status))
  const wrongMethod = refuseAs('wrong method', 405)

  const app = new Hono<{ Bindings: Bindings }>()
  app
    .basePath('/v5')
    .get('/tasks/:id', serve('task.read', readTask))
    .all('/tasks/:id', wrongMethod)
    .put('/tasks/:id/update-assignment', serve('assign.update', updateAssignment))
    .all('/tasks/:id/update-assignment', wrongMethod)
    .get('/assessments/:id', serve('assessment.read', readAssessment))
    .all('/assessments/:id', wrongMethod)
    .get('/audit-sentinel/events/export', serve('export', exportEvents))
    .all('/audit-sentinel/events/export', wrongMethod)
  app.notFound(refuseAs('unknown path', 404))
  app.onError((error, c) => c.json({ error: String(error) }, errors['Internal Server Error']))

  return {
    /** `address` is the caller's, if known */
    fetch: async (request: Request, address?: string) => await app.fetch(request, { address }),
    /** the initial world; changes affect the service's copy */
    world,
    state: () => ({ world: { ...world, tasks: store.tasks(0) }, events: trail.events() }),
  }
}

/** In bytes. */
const largestBody = 1_000_000

type Bindings = { address: string | undefined }
type Arrived = Context<{ Bindings: Bindings }>

const pause = async (milliseconds: number) => {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Whether the requests of this second exceed a limit. */
function rateLimit(clock: () => number): (perSecond: number) => boolean {
  let second = 0
  let count = 0
  return (perSecond) => {
    const now = Math.floor(clock() / 1000)
    if (now !== second) count = 0
    second = now
    count += 1
    return count > perSecond
  }
}

/** The text of a request's body; undefined if it exceeds the limit. */
async function textOf(request: Request, limit: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return undefined
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.length
    // Leaving the loop cancels the rest.
    if (length > limit) return undefined
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
