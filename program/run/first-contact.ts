import { commandLine } from '../../engine/called.ts'
import { distinct } from '../../engine/distinct.ts'
import { isAccepted, isObject, type JsonObject, membersOf } from '../../engine/http/answers.ts'
import type { Answer, Ask, Client } from '../../engine/http/client.ts'
import { Failure } from '../../engine/http/failure.ts'
import { Impossible } from '../../engine/impossible.ts'
import { parsed } from '../../engine/parsed.ts'
import { describeReason, type Reason } from '../../engine/run/report.ts'
import { either } from '../../engine/settings/parsers.ts'
import { pause } from '../../engine/time/abort.ts'
import { entered } from '../../engine/time/entering.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Resource } from '../../helpers/contract/fields.ts'
import { idSettingsOf, pathOf, resources } from '../../helpers/contract/operations.ts'
import { statuses } from '../../helpers/contract/statuses.ts'
import { mayBeOwed } from '../../helpers/loans/journal.ts'
import { type Ahead, watchClock } from '../../helpers/service/clock.ts'
import { isOfAnotherRun } from '../../helpers/service/comments.ts'
import type { IdsOfResource, KnownIds, KnownTask } from '../../helpers/service/known.ts'
import { exportPath, taskPath } from '../../helpers/service/request-paths.ts'
import { assignmentIn, unreadableIn, wholeOf } from '../../helpers/service/task-members.ts'
import { openServiceClient } from '../../helpers/settings/client.ts'
import { idsNamedIn, idsOf } from '../../helpers/settings/resource-ids.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { present } from '../../reporting/parts/texts.ts'

export type Contact = {
  known: KnownIds
  baseUrl: string
  revision?: string
  notices: string[]
  ahead: Ahead
  requests: number
}

type Probe = { path: string; of: Resource | 'nothing'; id: string }
type ProbeAnswer = Probe & { answer?: Answer; trouble?: Error }

/** The settings may be right, but the service answers nothing that a clause could judge. */
export class ServiceDown extends Impossible {
  override name = 'ServiceDown'
  readonly why: Reason
  readonly requests: number

  constructor(why: Reason, requests: number) {
    super(`${describeReason(why)}.`)
    this.why = why
    this.requests = requests
  }
}

/**
 * Checks, before any clause runs, that the service is reachable, accepts the key and has the given ids. An
 * impossible run ends here, within seconds.
 */
export async function firstContact(settings: Settings, stop: AbortSignal): Promise<Contact> {
  const serviceClock = watchClock()
  return withClient(settings, { stop, record: serviceClock.see }, async (client) => {
    const probes = await probesOf(settings)
    const found = await settled(client, await sendAll(client, probes), settings.settleMs, stop)
    if (stop.aborted) throw new Impossible(`${stop.reason}.`)
    await needOwnKind(client, settings, found)
    await needTraceBorne(settings, found, stop)
    const down = whyDown(settings, found)
    const reason = down ? undefined : whyImpossible(settings, found)
    // An id that nothing has is unknown everywhere: only a required key shows that the service is there.
    const isServing = down === undefined && reason === undefined
    const isUnclear = isServing && found.every(isNowhere)
    const withoutKey = isUnclear ? await statusWithoutKey(client, found) : undefined
    const isHere = isServing && (!isUnclear || withoutKey === statuses.badKey)
    const versioned = isHere ? undefined : await underVersion(client, settings, probes)
    if (!versioned) {
      if (down !== undefined) throw new ServiceDown(down, client.requests)
      if (reason !== undefined) throw new Impossible(reason)
      if (withoutKey === statuses.unknownId && (await hasNoExport(client)))
        throw new Impossible(
          `BASE_URL ${settings.baseUrl} responds ${statuses.unknownId} to every path, with the key and without: the service is missing there; give its regional address, ending in /v5.`,
        )
    }
    const baseUrl = versioned ? `${settings.baseUrl}/v5` : settings.baseUrl
    const answers = versioned ?? found
    const revision = revisionIn(answers, settings)
    const instead = `BASE_URL does not end in /v5 and nothing was found there: ${baseUrl} is tested instead`
    return {
      baseUrl,
      revision: revision?.slice(0, 200),
      notices: present([versioned && instead, noticesOf(answers, revision, settings)]),
      known: knownIds(answers, settings),
      ahead: serviceClock.ahead,
      requests: client.requests,
    }
  })
}

export async function withClient<T>(
  settings: Settings,
  options: Parameters<typeof openServiceClient>[1],
  act: (client: Client) => Promise<T>,
): Promise<T> {
  const client = openServiceClient(settings, options)
  try {
    return await act(client)
  } finally {
    await client.close()
  }
}

async function probesOf(settings: Settings): Promise<Probe[]> {
  const probes = resources.flatMap((resource) =>
    idsOf(resource, settings).map((id): Probe => {
      const path = pathOf(`${resource}.read`, id)
      return { path, of: resource, id }
    }),
  )
  if (probes.length > 0) return probes
  const { randomFor } = await entered('load', () => import('../../engine/random.ts'))
  const id = randomFor(settings.seed, 'first contact').string.uuid()
  return [{ path: taskPath(id), of: 'nothing', id }]
}

async function sendAll(client: Client, probes: Probe[], base?: string): Promise<ProbeAnswer[]> {
  // One probe first: if the service is down, the others are not sent.
  const [first, ...others] = probes
  if (!first) return []
  const firstAnswer = await sendProbe(client, first, base)
  if (!firstAnswer.answer) return [firstAnswer]
  const answers = await Promise.all(others.map((probe) => sendProbe(client, probe, base)))
  return [firstAnswer, ...answers]
}

/** Twice, if it fails fast: what failed slowly would fail slowly again, and the user is waiting. */
async function sendProbe(client: Client, probe: Probe, base?: string): Promise<ProbeAnswer> {
  const ask = { method: 'GET', path: probe.path, base, sendKeyElsewhere: true } as const
  for (let attempt = 1; ; attempt += 1) {
    const start = clock.now()
    try {
      return { ...probe, answer: await client.ask({ ...ask, retries: false }) }
    } catch (error) {
      const isLate = clock.now() - start > 1000
      if (isLate || attempt === 2) return { ...probe, trouble: error as Error }
    }
  }
}

const isAbsent = ({ of, answer }: ProbeAnswer) =>
  of !== 'nothing' && answer?.status === statuses.unknownId

/** Asks once more for what is missing: it may have been created a moment ago. */
async function settled(client: Client, found: ProbeAnswer[], ms: number, stop: AbortSignal) {
  if (!found.some(isAbsent)) return found
  await pause(ms, stop).catch(() => {})
  const again = found.map((each) => (isAbsent(each) ? sendAll(client, [each]) : [each]))
  return (await Promise.all(again)).flat()
}

/** One id of another kind is enough. */
const mostAsked = 5

/** Ids in the wrong setting are the user's mistake: the run would test nothing. */
async function needOwnKind(client: Client, settings: Settings, found: ProbeAnswer[]) {
  const isGone = (id: string) => found.some((each) => each.id === id && isAbsent(each))
  for (const resource of resources)
    for (const name of idSettingsOf(resource)) {
      const ids = idsNamedIn(name, settings)
      if (!ids.every(isGone)) continue
      for (const id of ids.slice(0, mostAsked)) {
        const other = await otherKindOf(client, id, resource)
        if (other)
          throw new Impossible(
            `${name} contains ids of ${other}s, such as ${id}; give the ids of ${resource}s.`,
          )
      }
    }
}

/** The other resource that has this id. */
async function otherKindOf(
  client: Client,
  id: string,
  resource: Resource,
): Promise<Resource | undefined> {
  for (const other of resources.filter((each) => each !== resource)) {
    const path = pathOf(`${other}.read`, id)
    const answer = await client.ask({ method: 'GET', path }).catch(() => undefined)
    if (answer && isAccepted(answer)) return other
  }
  return undefined
}

const isRefused = ({ answer }: ProbeAnswer) =>
  answer !== undefined &&
  answer.status >= 400 &&
  ![statuses.badKey, statuses.unknownId, 429].includes(answer.status)

/** A gateway may refuse unknown headers: then suggest TRACE=0, which only insiders know. */
async function needTraceBorne(settings: Settings, found: ProbeAnswer[], stop: AbortSignal) {
  const [first] = found
  if (!settings.trace || !first || !found.every(isRefused)) return
  const untraced = { ...settings, trace: false }
  const [without] = await withClient(untraced, { stop }, (client) => sendAll(client, [first]))
  if (without?.answer && !isRefused(without))
    throw new Impossible(
      `BASE_URL ${settings.baseUrl} responds ${first.answer?.status} to a request with the header traceparent, and ${without.answer.status} without it; set TRACE=0.`,
    )
}

const nameOf = ({ baseUrl, embedded }: Settings) =>
  embedded ? 'the embedded service' : `BASE_URL ${baseUrl}`

const answersIn = (found: ProbeAnswer[]) => found.flatMap(({ answer }) => answer ?? [])

const troubleIn = (found: ProbeAnswer[]) => found.find(({ trouble }) => trouble)?.trouble

function whyDown(settings: Settings, found: ProbeAnswer[]): Reason | undefined {
  const where = nameOf(settings)
  const answers = answersIn(found)
  const trouble = troubleIn(found)
  if (answers.length === 0)
    return trouble && isUnanswered(trouble)
      ? { fact: `${where} does not respond`, details: `: ${trouble.message}` }
      : undefined

  const isNoAnswer = ({ status }: Answer) => status === 429 || status >= 500
  if (!answers.every(isNoAnswer)) return undefined
  const responded = distinct(answers.map(({ status }) => status))
  const why = responded.some((status) => status >= 500)
    ? 'the service is not up'
    : 'it limits requests; try again later or set REQUESTS_PER_SECOND'
  return {
    fact: `${where} responds ${responded.join(' or ')} to every request`,
    details: `: ${why}`,
  }
}

/** Without a connection the address may be wrong; a connection without a response is the service's. */
const isUnanswered = ({ cause }: Error) =>
  cause instanceof Failure &&
  cause.sent !== false &&
  cause.transport &&
  (cause.silent || !cause.lasting)

function whyImpossible(settings: Settings, found: ProbeAnswer[]): string | undefined {
  const where = nameOf(settings)
  const answers = answersIn(found)
  if (answers.length === 0) return `${where} cannot be reached: ${troubleIn(found)?.message}.`

  const all = (least: number, most = least) =>
    answers.every(({ status }) => status >= least && status <= most)
  const [first] = answers
  if (all(statuses.badKey))
    return `API_KEY is rejected: ${where} responded ${statuses.badKey} to it; check the key, the region of BASE_URL and the allow list.`
  if (all(300, 399))
    return `${where} redirects to ${first?.headers.location ?? 'elsewhere'}: give the address of the service itself.`
  if (answers.every((answer) => isAccepted(answer) && looksLikeAPage(answer)))
    return `${where} responds with an HTML page: give the regional address of the service, ending in /v5.`
  if (all(statuses.unknownId) && found.some(({ of }) => of !== 'nothing'))
    return `${where} responds ${statuses.unknownId} to every id of ${either(resources.flatMap(idSettingsOf), 'and')}: check that they belong to this address, and that it ends in /v5.`
  return undefined
}

/** JSON of any size is not a page, even with an HTML content type. */
const looksLikeAPage = ({ headers, text }: Answer) =>
  (/html/i.test(headers['content-type'] ?? '') && parsed(text) === undefined) ||
  /^\s*<(!doctype|html)/i.test(text)

/** The same probes under /v5, if the address lacks it; undefined if that is not better. */
async function underVersion(client: Client, settings: Settings, probes: Probe[]) {
  if (/\/v5$/.test(settings.baseUrl)) return undefined
  const base = `${settings.baseUrl}/v5`
  const found = await sendAll(client, probes, base)
  const isThere =
    found.some(({ answer }) => answer && isAccepted(answer) && !looksLikeAPage(answer)) ||
    // An unknown id is missing at every base: the service is where a key is required.
    (found.every(isNowhere) && (await statusWithoutKey(client, found, base)) === statuses.badKey)
  return isThere ? found : undefined
}

/** undefined: no answer */
export const statusOf = async (client: Client, ask: Omit<Ask, 'method' | 'retries'>) =>
  (await client.ask({ method: 'GET', retries: false, ...ask }).catch(() => undefined))?.status

const statusWithoutKey = (client: Client, [first]: ProbeAnswer[], base?: string) =>
  first && statusOf(client, { path: first.path, key: null, base })

const hasNoExport = async (client: Client) =>
  (await statusOf(client, { path: smallExport(), key: null })) === statuses.unknownId &&
  (await statusOf(client, { path: smallExport(), exported: true })) === statuses.unknownId

export function smallExport(): string {
  const now = encodeURIComponent(clock.iso())
  return exportPath(`range_start=${now}&range_end=${now}`)
}

const isNowhere = ({ of, answer }: ProbeAnswer) =>
  of === 'nothing' && answer?.status === statuses.unknownId

function revisionIn(found: ProbeAnswer[], { revisionHeader: header }: Settings) {
  if (header === undefined) return undefined
  return answersIn(found).flatMap(({ headers }) => headers[header] ?? [])[0]
}

function noticesOf(
  found: ProbeAnswer[],
  revision: string | undefined,
  { revisionHeader: header, notPermitted, taskIds }: Settings,
): string[] {
  const isRead = (resource: Resource) => idsWith(found, resource, isSuccess).length > 0
  return present([
    found
      .filter(isAbsent)
      .map(
        ({ of, id }) =>
          `the service has no ${of} ${id} (${statuses.unknownId}): the run skips this id`,
      ),
    header !== undefined &&
      revision === undefined &&
      `no response has the header ${header} of REVISION_HEADER`,
    noticeOfOtherRun(found.filter(({ id }) => taskIds.includes(id))),
    resources
      .filter((resource) => notPermitted.includes(`${resource}.read`) && isRead(resource))
      .map((resource) => `NOT_PERMITTED declares ${resource}.read, and the service accepts it`),
  ])
}

const isSuccess = (status: number) => isAccepted({ status })
const isUnknown = (status: number) => status === statuses.unknownId

/** The ids of a resource whose probe has such a status; 0: no answer. */
const idsWith = (
  found: readonly ProbeAnswer[],
  resource: Resource,
  isWanted: (status: number) => boolean,
): string[] =>
  found.flatMap(({ of, id, answer }) =>
    of === resource && isWanted(answer?.status ?? 0) ? id : [],
  )

function knownIds(found: ProbeAnswer[], settings: Settings): KnownIds {
  const tasks = knownTasks(found, settings)
  const ids = Object.fromEntries(
    resources.map((resource) => [resource, idsIn(found, resource)]),
  ) as Record<Resource, IdsOfResource>
  ids.task.present = tasks.map(({ id }) => id)
  return { tasks, ids }
}

const idsIn = (found: readonly ProbeAnswer[], resource: Resource): IdsOfResource => ({
  present: idsWith(found, resource, (status) => !isUnknown(status)),
  absent: idsWith(found, resource, isUnknown),
  // The last one: tasks that are only read follow those that may change.
  readable: idsWith(found, resource, isSuccess).at(-1),
})

/** Those that an update could take most from come first. */
const knownTasks = (found: readonly ProbeAnswer[], settings: Settings): KnownTask[] =>
  found
    .filter(({ of, answer }) => of === 'task' && !isUnknown(answer?.status ?? 0))
    .map(({ id, answer }) => ({ id, body: bodyIn(answer) }))
    .toSorted((one, other) => fullnessOf(other.body) - fullnessOf(one.body))
    .map(({ id, body }) => ({
      id,
      lendable: settings.taskIds.includes(id),
      assigned: assignedOf(body, settings),
      ...unreadableOf(body),
    }))

/** Another run of this suite is at work on the tasks, or was stopped before it put them back. */
function noticeOfOtherRun(found: readonly ProbeAnswer[]): string | undefined {
  const left = found.filter(({ answer }) => {
    const { assignment } = bodyIn(answer)
    const comment = isObject(assignment) ? assignment.assignment_comment : undefined
    return typeof comment === 'string' && isOfAnotherRun(comment)
  })
  const [first] = left
  if (!first) return undefined
  const which =
    left.length === 1 ? `task ${first.id} shows` : `${left.length} tasks, such as ${first.id}, show`
  return `${which} a comment of another run of this suite: wait until that run has ended, or, if it was stopped, run ${commandLine('restore')} where it ran; this run puts back what it finds`
}

/** The clauses judge an answer's content, also if it is unreadable. */
function bodyIn(answer: Answer | undefined): JsonObject {
  try {
    return answer ? membersOf(answer) : {}
  } catch {
    return {}
  }
}

/** How much of a task an update could lose: optional values that are set. */
function fullnessOf({ name, custom_metadata: metadata }: JsonObject): number {
  const filled = isObject(metadata) && Object.keys(metadata).length > 0
  return 2 * Number(filled) + Number(typeof name === 'string')
}

function unreadableOf(body: JsonObject): Pick<KnownTask, 'unreadable'> {
  const unreadable = unreadableIn(body)
  return unreadable === undefined ? {} : { unreadable }
}

/** `unknown` too where its assignment could not be put back. */
function assignedOf(body: JsonObject, settings: Settings): KnownTask['assigned'] {
  const shown = assignmentIn(body)
  if (shown === undefined || unreadableIn(body) !== undefined) return 'unknown'
  const assignment = wholeOf(shown, settings)
  if (assignment === null) return 'none'
  return mayBeOwed(assignment) ? assignment.assigned_to_type : 'unknown'
}
