import type { DueStatus, FileSign, Sign } from '../../engine/findings/kind.ts'
import { isRejectionDue } from '../../engine/findings/status.ts'
import { isObject, type JsonObject } from '../../engine/http/answers.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { configured, keyForms } from '../../engine/http/redaction.ts'
import { parsed } from '../../engine/parsed.ts'
import { changedAt } from '../../engine/run/contract.ts'
import type { Breach, Report } from '../../engine/run/report.ts'
import { isCurlsOwn } from '../parts/curl.ts'
import { exchangesBy, ifMatchOf } from '../parts/evidence.ts'

export type Request = {
  method: string
  path: string
  base?: string
  headers: Record<string, string>
  body?: string
  /** the version to send in place of its If-Match */
  version?: Version
}

export type Plan = {
  judged: Request
  /** without these before it, what was judged would not have come */
  before: Request[]
  /** the same request without its mistake */
  control?: Request
  isControlAccepted?: boolean
  /** further files that are judged, and further controls */
  furtherJudged?: Request[]
  furtherControls?: Request[]
  /** the task to change, the update that brings it to its state, and one that brings another; default: none */
  task?: {
    path: string
    /** what follows it in the path of an update */
    rest: string
    actor: string
    state: string
    other?: string
  }
  /** judges the read that follows the update */
  isRead?: true
  /** the answer must be accepted, because its body decides */
  isAccepted?: true
  /** only a reader sees whether the sentence holds */
  isCompared?: true
  /** a moment decides: it is tried up to three times, which only reads */
  isOfMoment?: true
  /** the status of the judged answer where the sentence holds */
  status?: DueStatus
  signs: readonly Sign[]
  /** what the judged file shows where the sentence holds */
  file: readonly FileSign[]
}

type None = { why: string }

const mostBefore = 6
const mostParts = 4

/** Uses values alone: what was sent and what came. */
export function planOf(breach: Breach, report: Report): Plan | None {
  const { again = {} } = breach
  if (again.why) return { why: again.why }
  const find = (numbers: readonly number[] = []) => exchangesBy(numbers, report)
  const [control, earlier] = [find(breach.control), find(breach.before)]
  // `before` belongs to one of several requests that were judged alike.
  const judged = find(breach.judged).filter(({ number }) => number > (earlier.at(-1)?.number ?? 0))
  const [first] = judged
  // What reads show is judged by the update before them.
  const isFollowed = ({ method, path }: Exchange) =>
    method === 'PUT' && first !== undefined && path.startsWith(`${first.path}/`)
  const named =
    judged.find(({ method }) => method === 'PUT') ?? [...judged, ...control].findLast(isFollowed)
  const updates = (breach.before ? earlier : report.exchanges).filter(
    (each) => isFollowed(each) && each.number < (first?.number ?? 0),
  )
  // A refused update may still be carried out.
  const sent =
    named ?? updates.findLast(({ status = 0 }) => status < 300) ?? updates.at(-1) ?? first
  if (!sent) return { why: 'the report does not hold the request that was judged' }
  const asked = earlier.filter((each) => each !== sent)
  const before = asked.length > 0 ? asked : keptFor(sent, breach, report)
  if (before.some(({ method, path }) => method !== 'GET' && path !== sent.path))
    return { why: 'it depends on a change of another task, which a script does not put back' }
  if (before.length > mostBefore)
    return { why: 'it depends on more earlier requests than a script should send' }
  const { due } = again
  // A rejection has no body that could show what was expected.
  const signs = isAcceptanceDue(due) ? undefined : again.signs
  const status = signs ? undefined : due
  // If each has to be accepted, one failure is enough.
  if (status !== '2xx' && judged.filter(({ method }) => method === 'PUT').length > 1)
    return { why: manyUpdates }
  const beside = control.find(({ method }) => method === sent.method) ?? control[0]
  const other = beside && beside !== sent ? requestOf(beside) : undefined
  const isControl = other && !('why' in other) && other.method === sent.method
  const file = (again.file ?? []).filter((sign) => isControl || !isBesideControl(sign))
  const hasParts = file.some(isOfParts)
  const asksAll = hasParts || (isControl && mayAskAll(file, control))
  const furtherJudged = hasParts ? judged.filter((each) => each !== sent) : []
  const furtherControls = asksAll ? control.filter((each) => each !== beside) : []
  if (furtherJudged.length + furtherControls.length > mostParts)
    return { why: 'it depends on more files than a script should get' }
  const isCompared = !signs?.some(isDecisive) && status === undefined && file.length === 0
  if (isCompared && !signs && sent.method === 'PUT')
    return { why: 'what came has to be compared with more than one other response' }
  const requests: Request[] = []
  for (const each of [...before, sent]) {
    const request = requestOf(each)
    if ('why' in request) return request
    requests.push(request)
  }
  const isToldByBody = file.length > 0 || signs?.some(({ of }) => !of)
  const plan: Plan = {
    judged: requests.pop() as Request,
    before: requests,
    ...(isControl && (sent.method === 'GET' || isRejectionDue(due))
      ? { control: other, isControlAccepted: (beside?.status ?? 0) < 300 }
      : {}),
    ...(status === undefined ? {} : { status }),
    signs: signs ?? [],
    file,
    ...(asksAll
      ? {
          furtherJudged: furtherJudged.map(requestOf).filter(isRequest),
          furtherControls: furtherControls.map(requestOf).filter(isRequest),
        }
      : {}),
    ...(isCompared ? { isCompared } : {}),
    ...(again.isOfMoment && sent.method === 'GET' ? { isOfMoment: true } : {}),
    ...(isToldByBody && (sent.status ?? 0) < 300 ? { isAccepted: true } : {}),
  }
  if (sent.method !== 'PUT') return plan
  const whole = withTask(plan, sent, { report, due, before })
  return 'why' in whole || named ? whole : { ...whole, isRead: true }
}

/** The read whose answer may have come again: of the same with a key, or of the resource that came. */
function keptFor(
  sent: Exchange,
  { finding, again }: Breach,
  { exchanges, statuses }: Report,
): Exchange[] {
  const isOfKey = again?.due !== undefined && again.due === statuses?.badKey
  const id = finding?.kind === 'member' && finding.member === 'id' ? finding.got : undefined
  const isKept = (each: Exchange) =>
    each !== sent &&
    (each.status ?? 0) < 300 &&
    (isOfKey ? each.path === sent.path : typeof id === 'string' && each.path.endsWith(`/${id}`))
  return sent.method === 'GET' ? exchanges.filter(isKept).slice(0, 1) : []
}

const isRequest = (request: Request | None): request is Request => !('why' in request)

const kindOf = (sign: FileSign): string => (typeof sign === 'string' ? sign : sign.kind)

/** Whether it needs all files that were judged or compared. */
const isOfParts = (sign: FileSign): boolean =>
  ['in both', 'in one', 'in parts', 'in whole'].includes(kindOf(sign))

/** Whether all controls are files that may still have an event, and few enough to ask for each. */
function mayAskAll(file: readonly FileSign[], control: readonly Exchange[]): boolean {
  const routes = new Set(control.map(({ method, path }) => `${method} ${path.split('?')[0]}`))
  const isFew = routes.size === 1 && control.length <= mostParts
  return isFew && file.some((sign) => kindOf(sign) === 'has event')
}

/** Whether it compares the judged file with that of the control. */
const isBesideControl = (sign: FileSign): boolean =>
  [
    'in both',
    'in parts',
    'in whole',
    'ids of control',
    'records',
    'same line',
    'same first line',
    'other lines',
  ].includes(kindOf(sign))

export const isDecisive = (sign: Sign): boolean =>
  'is' in sign || sign.as !== undefined || sign.unlike !== undefined

const manyUpdates =
  'several updates were judged together: they have to arrive at one moment, which a script cannot bring about'

const isAcceptanceDue = (due: DueStatus | undefined): boolean =>
  due === '2xx' || (typeof due === 'number' && due < 300)

function requestOf({ method, path, base, requestHeaders, requestBody }: Exchange): Request | None {
  if (requestBody !== undefined && /^\(\d+ bytes, SHA-256 /.test(requestBody))
    return { why: 'the body that was sent is too long for a report' }
  const headers = Object.fromEntries(
    Object.entries(requestHeaders).filter(
      ([name]) => !isCurlsOwn(name) && name.toLowerCase() !== 'accept',
    ),
  )
  const texts = [path, requestBody ?? '', ...Object.values(headers)]
  if (texts.some((text) => text.includes(keyForms.unknown)))
    return { why: 'the key that was sent is made from the valid key, and would reveal it' }
  if (texts.some((text) => text.includes('\0')))
    return { why: 'it was sent a NUL, which no command line can contain' }
  const isBare = requestBody !== undefined && !/content-type/i.test(`${Object.keys(headers)}`)
  return {
    method,
    path,
    ...(base === undefined ? {} : { base }),
    headers: { ...headers, ...(isBare ? { 'content-type': '' } : {}) },
    ...(requestBody === undefined ? {} : { body: requestBody }),
  }
}

/** The script brings the task to its earlier state, and puts it back afterwards. */
function withTask(
  plan: Plan,
  sent: Exchange,
  { report, due, before }: { report: Report; due?: DueStatus; before: readonly Exchange[] },
): Plan | None {
  // The version was not current, even if it was accepted.
  const { statuses } = report
  const isStale = due !== undefined && due === statuses?.staleVersion
  const { changed: path, rest } = changedAt(report.operations ?? {}, sent)
  const upTo = ({ number }: Exchange) =>
    report.exchanges.filter((each) => each.number < number && isOf(each, path))
  const shownUpTo = (each: Exchange) => tasksIn(upTo(each))
  const isWrong = (each: Exchange) => isStale && each === sent
  const updates = before.filter(({ method }) => method === 'PUT')
  const first = updates[0] ?? sent
  const seen = shownUpTo(first)
  const last = seen.at(-1)
  // The report may lack a body in between; the read that shows the sent version is safer.
  const own = seen.findLast((task) => task.updated_at === ifMatchOf(first))
  const isAccepted = (sent.status ?? 0) < 300
  const now = !isWrong(first) && (first.status ?? 0) < 300 ? (own ?? last) : last
  // No task has this id: nothing to set up or put back.
  const isNobodys = !isAccepted || (due !== undefined && due === statuses?.unknownId)
  const { control: _, ...alone } = plan
  if (!now && isNobodys && isUnknown(path, report))
    return plan.signs.some(({ of }) => of)
      ? { why: 'the request names no task that exists, and the change shows in reads of another' }
      : alone
  if (isAccepted && isUnknown(path, report))
    return {
      why: 'the request names another id than the task that it changed, which a script must not put back',
    }
  if (!now) return { why: 'the report lacks the earlier state of the task; set BODIES=all' }
  const [actor] = actorsIn([...report.exchanges.filter(({ status = 0 }) => status < 300), sent])
  if (!actor) return { why: 'no update of the run names who assigns' }
  const versionFor = (each: Exchange): Version | undefined => {
    const ifMatch = ifMatchOf(each)
    if (ifMatch === undefined) return undefined
    const versions = shownUpTo(each).map(({ updated_at }) => String(updated_at))
    const made = versionOf(ifMatch, versions, isWrong(each))
    // An accepted version was current, although no read shows it, or another one came between.
    const isOfTheForm = versions.some((shown) => shown.slice(0, 4) === ifMatch.slice(0, 4))
    const isCurrent = (!made || made === stale) && isOfTheForm && (each.status ?? 0) < 300
    return isCurrent && !isWrong(each) ? current : made
  }
  const version = versionFor(sent)
  // Which update replaced the version: repeating that very update may look like the first one.
  const replaced = upTo(first).findLast(
    (each) => each.method === 'PUT' && ifMatchOf(each) === ifMatchOf(sent),
  )
  const state = (isStale && replaced?.requestBody) || bodyFor(now.assignment, actor)
  const needsOther = version === stale && !updates.some(({ status = 0 }) => status < 300)
  const other = needsOther ? otherThan(state, actor, report) : undefined
  if (needsOther && !other)
    return { why: 'no update that was accepted is known, to make the version stale' }
  const withVersion = (request: Request, version: Version | undefined): Request =>
    version === undefined ? request : { ...request, version }
  // The sign that a refused update had no effect. With a bad key the control would have none either.
  const isUnchanged = ({ as, member }: Sign) => as === 'before' && member === 'assignment'
  const isControl = version !== current && plan.judged.headers.apikey === configured
  const same = isControl && plan.signs.some(isUnchanged) ? plan.judged : undefined
  const control = plan.control ?? same
  return {
    ...plan,
    judged: withVersion(plan.judged, version),
    before: plan.before.map((each, at) => withVersion(each, versionFor(before[at] as Exchange))),
    ...(control
      ? {
          control: withVersion({ ...control, path: `${path}${rest}` }, current),
          isControlAccepted: plan.isControlAccepted ?? true,
        }
      : {}),
    task: { path, rest, actor, state, ...(other ? { other } : {}) },
  }
}

const isOf = ({ path, status = 0 }: Exchange, task: string) =>
  status < 300 && (path === task || path.startsWith(`${task}/`))

const isUnknown = (path: string, { exchanges }: Report) =>
  !exchanges.some((each) => each.method === 'GET' && isOf(each, path))

const tasksIn = (exchanges: readonly Exchange[]): JsonObject[] =>
  exchanges
    .map(({ body = '' }) => parsed(body))
    .filter(isObject)
    .filter((value) => 'updated_at' in value && 'assignment' in value)

/** The update that brings back an assignment, in the name of this user. */
function bodyFor(assignment: unknown, actor: string): string {
  const by = { assigned_by_id: actor }
  if (!isObject(assignment)) return JSON.stringify({ unassign: by })
  // In the shown order, so that a script can compare texts and see that nothing is to be done.
  return JSON.stringify({ update: { ...assignment, ...by } })
}

/** Another state than this update brings, from an update of the run. */
function otherThan(state: string, actor: string, { exchanges }: Report): string | undefined {
  if (bodyIn({ requestBody: state }).update) return bodyFor(null, actor)
  const accepted = exchanges.filter(({ method, status = 0 }) => method === 'PUT' && status < 300)
  const update = accepted.map((each) => bodyIn(each).update).find(isObject)
  return update && bodyFor(update, actor)
}

function bodyIn({ requestBody = '' }: Pick<Exchange, 'requestBody'>): JsonObject {
  const body = parsed(requestBody)
  return isObject(body) ? body : {}
}

const actorsIn = (exchanges: readonly Exchange[]): string[] =>
  exchanges.flatMap((each) => {
    const { update, unassign } = bodyIn(each)
    const change = update ?? unassign
    const by = isObject(change) ? change.assigned_by_id : undefined
    return typeof by === 'string' ? [by] : []
  })

/** The If-Match of a request, as an expression within double quotes of sh that uses the task just read. */
type Version = string

const current: Version = '$(version read)'
/** the version before the current one, which the script's last update replaced */
const stale: Version = '$stale'

/** How a version derives from those shown, the current one last; undefined: from none of them. */
function versionOf(sent: string, seen: readonly string[], isWrong = false) {
  if (sent === seen.at(-1)) return current
  if (seen.includes(sent)) return stale
  // Another request may have shown a later version than the one used.
  for (const shown of seen.toReversed()) {
    const made = madeOf(sent, shown, isWrong)
    if (made) return made
  }
  return undefined
}

const escaped = (text: string) => text.replace(/["\\$`]/g, '\\$&')

/** Around the version shown, with other letters, another digit, or another part in its place. */
function madeOf(sent: string, shown: string, isWrong: boolean): Version | undefined {
  const at = shown === '' ? -1 : sent.indexOf(shown)
  if (at >= 0)
    return `${escaped(sent.slice(0, at))}${current}${escaped(sent.slice(at + shown.length))}`
  if (sent === shown.toLowerCase()) return '$(version read | tr A-Z a-z)'
  const isSame = (place: number, end: number) => sent.at(place) === shown.at(end)
  const most = Math.min(sent.length, shown.length)
  let [begin, end] = [0, 0]
  while (begin < most && isSame(begin, begin)) begin += 1
  while (end < most - begin && isSame(-1 - end, -1 - end)) end += 1
  const middle = sent.slice(begin, sent.length - end)
  const isLonger = sent.length >= shown.length
  const years = Number(sent.slice(0, 4)) - Number(shown.slice(0, 4))
  if (years && sent.slice(4) === shown.slice(4))
    return `$(($(version read | cut -c1-4) + ${years}))$(version read | cut -c5-)`
  // A digit other than the current digit.
  if (sent.length === shown.length && /^\d$/.test(middle))
    return `$(version read | sed -E -e 's/^(.{${begin}})[0-8]/\\19/' -e t -e 's/^(.{${begin}})9/\\18/')`
  if (begin + end < 10 || (isLonger && !(isWrong && begin >= 19) && begin > 4)) return undefined
  const after = end > 0 ? `$(version read | cut -c${shown.length - end + 1}-)` : ''
  return `${begin > 0 ? `$(version read | cut -c1-${begin})` : ''}${escaped(middle)}${after}`
}
