import { isObject, type JsonObject } from '../../engine/http/answers.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { keyForms } from '../../engine/http/redaction.ts'
import type { Again, Problem, Sign } from '../../engine/problem.ts'
import type { Report } from '../../engine/run/report.ts'
import { exchangeBy } from '../parts/evidence.ts'
import { current, stale, type Version, versionOf } from './version.ts'

/** A request as a script sends it. */
export type Request = {
  method: string
  path: string
  base?: string
  headers: Record<string, string>
  body?: string
  version?: Version
}

/** How a breach is shown once more. */
export type Plan = {
  /** several reads, or one update */
  judged: Request[]
  /** the same request with the one mistake repaired */
  control?: Request
  /** the control was accepted in the run */
  isControlAccepted?: boolean
  /** a read that is accepted with the valid key, where nothing else shows that the key is valid */
  key?: Request
  /** the task that it changes, the update that brings the state, and one that brings another; left out: it changes none */
  task?: { path: string; actor: string; state: string; other?: string }
  /** what is judged is the read that follows the update */
  isRead?: true
  /** the answer has to be accepted, for its body tells */
  isAccepted?: true
  /** the status of every judged answer, where the sentence holds */
  status?: string
  signs: readonly Sign[]
  or?: Again['or']
}

/** Why there is no script, as what goes on with "because". */
type None = { why: string }

const mostReads = 3
/** Where they are counted together, none is left out. */
const mostCounted = 12

/** Made of values alone: of what was sent and came. */
export function planOf(breach: Problem, report: Report): Plan | None {
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
  const status = again.signs ? undefined : statusOf(breach)
  // Where each has to be accepted, one alone shows it.
  if (status !== '2xx' && judged.filter(({ method }) => method === 'PUT').length > 1)
    return { why: manyUpdates }
  if (!again.signs && status === undefined)
    return { why: 'what came has to be compared with more than one other answer' }
  const reads = judged.filter(({ method, path }) => method !== 'PUT' && path !== sent.path)
  const isCounted = again.signs?.some((sign) => 'events' in sign)
  if (isCounted && reads.length >= mostCounted)
    return { why: 'more files have to be counted together than a script should fetch' }
  const most = isCounted ? mostCounted : again.signs ? 1 : mostReads
  const all = sent.method === 'PUT' ? [sent] : [sent, ...reads].slice(0, most)
  const requests: Request[] = []
  for (const each of all) {
    const request = requestOf(each)
    if (!('why' in request)) requests.push(request)
    else if (each === sent) return request
  }
  const beside = control.find(({ method }) => method === sent.method) ?? control[0]
  const other = beside && beside !== sent ? requestOf(beside) : undefined
  const isToldByBody = !again.or && again.signs?.some((sign) => !('of' in sign))
  const isControl = other && !('why' in other) && other.method === sent.method
  const plan: Plan = {
    judged: requests,
    ...(isControl && (sent.method === 'GET' || isRefusal(breach))
      ? { control: other, isControlAccepted: (beside?.status ?? 0) < 300 }
      : {}),
    ...(status === undefined ? {} : { status }),
    signs: again.signs ?? [],
    ...(again.or ? { or: again.or } : {}),
    ...(isToldByBody && (sent.status ?? 0) < 300 ? { isAccepted: true } : {}),
  }
  if (sent.method !== 'PUT') return withKey(plan, sent, report)
  const whole = withTask(plan, sent, { report, expected: breach.expected })
  return 'why' in whole || named ? whole : { ...whole, isRead: true }
}

const manyUpdates =
  'several updates were judged together: they have to arrive at one moment, which a script cannot bring about'

const isRefusal = ({ expected }: Problem) => /^4/.test(expected)

/** Where a status was expected and another came. */
function statusOf({ expected, got }: Problem): string | undefined {
  const [wanted] = /^([2-5]\d\d|[2-5]xx)(?=$|,| and )/.exec(expected) ?? []
  return wanted && /^\d{3}(?=$|,)/.test(got) ? wanted : undefined
}

/** Beside a read that has no control, another one that shows that the key is valid. */
function withKey(plan: Plan, sent: Exchange, { exchanges }: Report): Plan {
  if (plan.control || (sent.status ?? 0) < 300) return plan
  const isPlain = ({ method, status = 0, base, requestHeaders }: Exchange) =>
    method === 'GET' && status < 300 && !base && requestHeaders.apikey === '(configured)'
  const key = exchanges
    .filter(isPlain)
    .map(requestOf)
    .find((each) => !('why' in each))
  return key && !('why' in key) ? { ...plan, key } : plan
}

const notSent = new Set([
  'accept',
  'user-agent',
  'accept-encoding',
  'connection',
  'host',
  'content-length',
  'traceparent',
])

function requestOf({ method, path, base, requestHeaders, requestBody }: Exchange): Request | None {
  if (requestBody !== undefined && /^\(\d+ bytes, SHA-256 /.test(requestBody))
    return { why: 'the body that was sent is too long for a report to hold' }
  const headers = Object.fromEntries(
    Object.entries(requestHeaders).filter(([name]) => !notSent.has(name.toLowerCase())),
  )
  const texts = [path, requestBody ?? '', ...Object.values(headers)]
  if (texts.some((text) => text.includes(keyForms.unknown)))
    return { why: 'the key that was sent was made of the valid one, and would give it away' }
  if (texts.some((text) => text.includes('\0')))
    return { why: 'it was sent a NUL, which no command line can hold' }
  const isBare = requestBody !== undefined && !('content-type' in headers)
  return {
    method,
    path,
    ...(base === undefined ? {} : { base }),
    headers: { ...headers, ...(isBare ? { 'content-type': '' } : {}) },
    ...(requestBody === undefined ? {} : { body: requestBody }),
  }
}

/** The task is brought to where it was, by values, and put back afterwards. */
function withTask(
  plan: Plan,
  sent: Exchange,
  { report, expected }: { report: Report; expected: string },
): Plan | None {
  // The version was not the current one, whatever it was answered with.
  const isWrong = /^409\b/.test(expected)
  const path = sent.path.replace(/\/update-assignment.*$/s, '')
  const before = report.exchanges.filter((each) => each.number < sent.number && isOf(each, path))
  const seen = before.map(taskIn).filter((task) => task !== undefined)
  const ifMatch = sent.requestHeaders['if-match']
  const last = seen.at(-1)
  // A body between may be left out of the report: what has the version that was sent is surer.
  const own = seen.findLast((task) => task.updated_at === ifMatch)
  const isAccepted = (sent.status ?? 0) < 300
  const now = !isWrong && isAccepted ? (own ?? last) : last
  // An id that no task has: there is nothing to bring anywhere, nor to put back.
  const isNobodys = !isAccepted || /^404\b/.test(expected)
  const { control: _, ...alone } = plan
  if (!now && isNobodys && isUnknown(path, report)) return withKey(alone, sent, report)
  if (isAccepted && isUnknown(path, report))
    return {
      why: 'the request names another id than the task that it changed, which a script must not put back',
    }
  if (!now) return { why: 'the report does not hold what the task was before; set BODIES=all' }
  const [actor] = actorsIn([sent, ...report.exchanges])
  if (!actor) return { why: 'no update of the run names who assigns' }
  const versions = seen.map(({ updated_at }) => String(updated_at))
  const made = ifMatch === undefined ? undefined : versionOf(ifMatch, versions, isWrong)
  // What was accepted with a version that is not seen elsewhere was current.
  const isOfTheForm = versions.some((each) => each.slice(0, 4) === ifMatch?.slice(0, 4))
  const isCurrent = ifMatch !== undefined && !made && isAccepted && isOfTheForm && !isWrong
  const version = isCurrent ? current : made
  // What replaced the version: that very update, sent once more, may be taken for the first one.
  const replaced = before.findLast(
    (each) => each.method === 'PUT' && each.requestHeaders['if-match'] === ifMatch,
  )
  const state = (isWrong && replaced?.requestBody) || bodyFor(now.assignment, actor)
  const other = version === stale ? otherThan(now.assignment, actor, report) : undefined
  if (version === stale && !other)
    return { why: 'no update that was accepted is known, to make the version stale' }
  const withVersion = (request: Request, version: Version | undefined): Request => {
    const { 'if-match': _, ...headers } = request.headers
    return version === undefined ? request : { ...request, headers, version }
  }
  const isVersionAlone = version !== current && plan.signs.some(isUnchanged)
  const control = plan.control ?? (isVersionAlone ? plan.judged[0] : undefined)
  return {
    ...plan,
    judged: plan.judged.map((each) => withVersion(each, version)),
    ...(control
      ? {
          control: withVersion({ ...control, path: `${path}/update-assignment` }, current),
          isControlAccepted: plan.isControlAccepted ?? true,
        }
      : {}),
    task: { path, actor, state, ...(other ? { other } : {}) },
  }
}

/** That an update which had to be refused is not carried out. */
const isUnchanged = (sign: Sign) =>
  'as' in sign && sign.as === 'before' && sign.member === 'assignment'

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

/** The update that brings an assignment as it was shown, in the name of this one. */
function bodyFor(assignment: unknown, actor: string): string {
  const by = { assigned_by_id: actor }
  if (!isObject(assignment)) return JSON.stringify({ unassign: by })
  // In the order in which the members are shown, by which a script sees that nothing is to be done.
  return JSON.stringify({ update: { ...assignment, ...by } })
}

/** Another state than this one, which an update of the run was seen to bring. */
function otherThan(assignment: unknown, actor: string, { exchanges }: Report): string | undefined {
  if (isObject(assignment)) return bodyFor(null, actor)
  const update = exchanges.find(
    ({ method, status = 0, requestBody = '' }) =>
      method === 'PUT' && status < 300 && requestBody.startsWith('{"update"'),
  )?.requestBody
  const body = update === undefined ? undefined : parsed(update)
  return isObject(body) ? bodyFor(body.update, actor) : undefined
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
