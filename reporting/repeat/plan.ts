import { isObject, type JsonObject } from '../../engine/http/answers.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { configured, variation } from '../../engine/http/redaction.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Report } from '../../engine/run/report.ts'
import { exchangeBy } from '../parts/evidence.ts'
import { type Version, versionOf } from './version.ts'

/** A request as a script sends it. */
export type Request = {
  method: string
  path: string
  base?: string
  headers: Record<string, string>
  body?: string
  version?: Version
  key?: string
}

/** How a breach is shown once more. */
export type Plan = {
  judged: Request
  control?: Request
  /** the task that it changes, and who assigns; left out: it changes none */
  task?: { path: string; actor: string; states: string[] }
  /** JavaScript that is true where the sentence holds */
  holds: string
  /** what is judged is the read that follows the update */
  isRead?: true
}

/** Made of values alone: of what was sent and came. A text: why there is none. */
export function planOf(breach: Problem, report: Report): Plan | { why: string } {
  const { again = {} } = breach
  if (again.why) return { why: again.why }
  const find = (numbers: readonly number[]) =>
    numbers.flatMap((number) => exchangeBy(number, report) ?? [])
  const [judged, control] = [find(breach.judged), find(breach.control)]
  const [first] = judged
  // What reads show is judged of the update that they follow.
  const isFollowed = ({ method, path }: Exchange) =>
    method === 'PUT' && first !== undefined && path.startsWith(`${first.path}/`)
  const named =
    judged.find(({ method }) => method === 'PUT') ?? [...judged, ...control].findLast(isFollowed)
  const before = report.exchanges.filter(
    (each) => isFollowed(each) && each.number < (first?.number ?? 0),
  )
  // One that is refused may be carried out all the same.
  const earlier = before.findLast(({ status = 0 }) => status < 300) ?? before.at(-1)
  const sent = named ?? earlier ?? first
  if (!sent) return { why: 'the report does not hold the request that was judged' }
  const several = judged.filter(({ method }) => method === 'PUT').length > 1
  const holds = again.holds ?? (several ? undefined : statusHolds(breach))
  if (holds === undefined)
    return { why: several ? manyUpdates : 'more than one answer had to be compared' }
  const request = requestOf(sent, again.key)
  if ('why' in request) return request
  const beside = control.find(({ method }) => method === sent.method) ?? control[0]
  const other = beside && beside !== sent ? requestOf(beside) : undefined
  const shared = {
    judged: request,
    ...(other && !('why' in other) && sent.method === 'GET' ? { control: other } : {}),
    holds,
  }
  if (sent.method !== 'PUT') return shared
  const plan = withTask(shared, sent, { report, expected: breach.expected })
  return 'why' in plan || named ? plan : { ...plan, isRead: true }
}

const manyUpdates = 'several updates were judged together, such as those sent at the same moment'

/** Where a status was expected and another came. */
function statusHolds({ expected, got }: Problem): string | undefined {
  const [wanted] = /^(\d{3}|[2-5]xx)(?=$|,)/.exec(expected) ?? []
  return wanted && /^\d{3}/.test(got) ? `is(a.status, ${JSON.stringify(wanted)})` : undefined
}

const notSent = new Set([
  'user-agent',
  'accept-encoding',
  'connection',
  'host',
  'content-length',
  'traceparent',
])

function requestOf(
  { method, path, base, requestHeaders, requestBody }: Exchange,
  key?: string,
): Request | { why: string } {
  if (requestBody !== undefined && /^\(\d+ bytes, SHA-256 /.test(requestBody))
    return { why: 'the body that was sent is too long for a report to hold' }
  if (
    [path, requestBody ?? ''].some((text) => text.includes(configured) || text.includes(variation))
  )
    return { why: 'what was sent holds the key, which a report does not hold' }
  const headers = Object.fromEntries(
    Object.entries(requestHeaders).filter(([name]) => !notSent.has(name.toLowerCase())),
  )
  if (Object.values(headers).includes(variation) && key === undefined)
    return {
      why: 'the request was sent with a key from which API_KEY could be guessed, so no report holds it',
    }
  const isBare = requestBody !== undefined && !('content-type' in headers)
  return {
    method,
    path,
    ...(base === undefined ? {} : { base }),
    headers: { ...headers, ...(isBare ? { 'content-type': '' } : {}) },
    ...(requestBody === undefined ? {} : { body: requestBody }),
    ...(key === undefined ? {} : { key }),
  }
}

type Shared = Pick<Plan, 'judged' | 'control' | 'holds'>

/** The task is brought to where it was, by values, and put back afterwards. */
function withTask(
  shared: Shared,
  sent: Exchange,
  { report, expected }: { report: Report; expected: string },
): Plan | { why: string } {
  // The version was not the current one, whatever it was answered with.
  const isWrong = /^409\b/.test(expected)
  const path = sent.path.replace(/\/update-assignment.*$/s, '')
  const before = report.exchanges.filter((each) => each.number < sent.number && isOf(each, path))
  const seen = before.map(taskIn).filter((task) => task !== undefined)
  const ifMatch = sent.requestHeaders['if-match']
  const last = seen.at(-1)
  // A body between may be left out of the report: what has the version that was sent is surer.
  const current = seen.findLast((task) => task.updated_at === ifMatch)
  const isAccepted = (sent.status ?? 0) < 300
  const isTaken = !isWrong && isAccepted
  const now = isTaken ? (current ?? last) : last
  // An id that no task has: there is nothing to bring anywhere, nor to put back.
  const isNobodys = !isAccepted || /^404\b/.test(expected)
  if (!now && isNobodys && isUnknown(path, report)) return shared
  if (isAccepted && isUnknown(path, report))
    return { why: 'the id that was sent is not that of the task which it changed' }
  if (!now) return { why: 'the report does not hold what the task was before; set BODIES=all' }
  const versions = seen.map(({ updated_at }) => String(updated_at))
  const made = ifMatch === undefined ? undefined : versionOf(ifMatch, versions, isWrong)
  // What was accepted with a version that is not seen elsewhere was current.
  const isOfTheForm = versions.some((each) => each.slice(0, 4) === ifMatch?.slice(0, 4))
  const isCurrent = made && 'is' in made && isAccepted && isOfTheForm && !isWrong
  const version = isCurrent ? { of: 'before' as const } : made
  const actors = actorsIn([sent, ...report.exchanges])
  const [actor] = actors
  if (!actor) return { why: 'no update names who assigns' }
  const { assigned_by_id: by } = isObject(now.assignment) ? now.assignment : {}
  // By whom it was assigned, where the run assigned in that name.
  const state = bodyFor(now.assignment, actors.find((each) => each === by) ?? actor)
  const isStale = version !== undefined && 'of' in version && version.of === 'set1'
  const other = isStale ? otherThan(now.assignment, actor, report) : undefined
  if (isStale && !other) return { why: 'no update that was accepted is known, to make it stale' }
  const { 'if-match': _, ...headers } = shared.judged.headers
  return {
    ...shared,
    judged: { ...shared.judged, headers, ...(version ? { version } : {}) },
    task: { path, actor, states: other ? [state, other, state] : [state] },
  }
}

const isOf = ({ path, status = 0 }: Exchange, task: string) =>
  status < 300 && (path === task || path.startsWith(`${task}/`))

const isUnknown = (path: string, { exchanges }: Report) =>
  !exchanges.some((each) => each.method === 'GET' && isOf(each, path))

function taskIn({ body = '' }: Exchange): JsonObject | undefined {
  const value = parsed(body)
  return isObject(value) && 'updated_at' in value && 'assignment' in value ? value : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function bodyFor(assignment: unknown, actor: string): string {
  if (!isObject(assignment)) return JSON.stringify({ unassign: { assigned_by_id: actor } })
  const { assigned_to_id, assigned_to_type, assignment_comment } = assignment
  const update = { assigned_by_id: actor, assigned_to_id, assigned_to_type, assignment_comment }
  return JSON.stringify({ update })
}

/** Another state than this one, which an update of the run was seen to bring. */
function otherThan(assignment: unknown, actor: string, { exchanges }: Report): string | undefined {
  if (isObject(assignment)) return bodyFor(null, actor)
  return exchanges.find(
    ({ method, status = 0, requestBody = '' }) =>
      method === 'PUT' && status < 300 && requestBody.startsWith('{"update"'),
  )?.requestBody
}

/** The ids in whose name these updates were sent. */
const actorsIn = (exchanges: readonly Exchange[]): string[] =>
  exchanges.flatMap(({ requestBody }) => {
    const body = requestBody === undefined ? undefined : parsed(requestBody)
    const change = isObject(body) ? (body.update ?? body.unassign) : undefined
    return isObject(change) && typeof change.assigned_by_id === 'string'
      ? [change.assigned_by_id]
      : []
  })
