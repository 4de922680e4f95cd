import { isAccepted, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer, Client } from '../../engine/http/client.ts'
import { randomFor } from '../../engine/random.ts'
import type { Known, KnownTask } from '../../helpers/service/known.ts'
import { assessmentPath, taskPath } from '../../helpers/service/operations.ts'
import { openServiceClient } from '../../helpers/settings/client.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { Impossible } from '../input/mistakes.ts'

export type Contact = {
  known: Known
  /** what was read of it */
  seen: Seen[]
  baseUrl: string
  notices: string[]
  requests: number
}

/** A task or assessment that is there; without a body where the key may not read it. */
export type Seen = { of: 'task' | 'assessment'; id: string; status?: number; body?: JsonObject }

type Probe = { path: string; of: 'task' | 'assessment' | 'nothing'; id: string }
type Found = Probe &
  ({ answer: Answer; trouble?: undefined } | { trouble: string; answer?: undefined })

/**
 * Looks, before any clause runs, whether the service can be reached, takes the key, and has what
 * was handed over: a run that cannot be made ends here, within seconds.
 */
export async function firstContact(settings: Settings, stop: AbortSignal): Promise<Contact> {
  const client = openServiceClient(settings, { stop })
  try {
    const probes = probesOf(settings)
    const found = await sendAll(client, probes)
    if (stop.aborted) throw new Impossible(`${stop.reason}.`)
    const reason = whyImpossible(settings, found)
    const isFound = reason === undefined && !found.every(isNowhere)
    const versioned = isFound ? undefined : await underVersion(client, settings, probes)
    if (!versioned && reason !== undefined) throw new Impossible(reason)
    if (!versioned) return { ...learn(settings, found), requests: client.requests }
    const moved = { ...settings, baseUrl: `${settings.baseUrl}/v5` }
    const contact = learn(moved, versioned)
    contact.notices.unshift(
      `BASE_URL does not end in /v5 and nothing was found there: ${moved.baseUrl} is tested instead`,
    )
    return { ...contact, requests: client.requests }
  } finally {
    await client.close()
  }
}

function probesOf(settings: Settings): Probe[] {
  const tasks = [...settings.taskIds, ...settings.readTaskIds]
  const probes: Probe[] = [
    ...tasks.map((id) => ({ path: taskPath(id), of: 'task' as const, id })),
    ...settings.assessmentIds.map((id) => ({
      path: assessmentPath(id),
      of: 'assessment' as const,
      id,
    })),
  ]
  if (probes.length > 0) return probes
  const id = randomFor(settings.seed, 'first contact').string.uuid()
  return [{ path: taskPath(id), of: 'nothing', id }]
}

async function sendAll(client: Client, probes: Probe[], base?: string): Promise<Found[]> {
  const send = async (probe: Probe): Promise<Found> => {
    const ask = { method: 'GET', path: probe.path, base, sendKeyElsewhere: true } as const
    for (let attempt = 1; ; attempt += 1) {
      const start = performance.now()
      try {
        return { ...probe, answer: await client.ask({ ...ask, retries: false }) }
      } catch (error) {
        // What took long to fail would take as long again: somebody is waiting for the first word.
        const late = performance.now() - start > 1000
        if (late || attempt === 2) return { ...probe, trouble: String((error as Error).message) }
      }
    }
  }
  // One goes ahead: a service that is down is found out without asking it for everything.
  const [first, ...others] = probes
  if (!first) return []
  const ahead = await send(first)
  if (ahead.trouble !== undefined) return [ahead]
  return [ahead, ...(await Promise.all(others.map(send)))]
}

function whyImpossible({ baseUrl, embedded }: Settings, found: Found[]): string | undefined {
  const trouble = found.find((each) => each.trouble !== undefined)?.trouble
  const answers = found.flatMap(({ answer }) => answer ?? [])
  const where = embedded ? 'the embedded service' : `BASE_URL ${baseUrl}`
  if (answers.length === 0) return `${where} cannot be reached: ${trouble}.`

  const all = (holds: (answer: Answer) => boolean) => answers.every(holds)
  const [first] = answers
  const status = first?.status
  if (all((answer) => answer.status === 401))
    return `API_KEY is refused: ${where} answered 401 to it; check the key, the region of BASE_URL and the allow list.`
  if (all((answer) => answer.status === 429))
    return `${where} answers 429 to everything: it asks for a pause; try again later or set REQUESTS_PER_SECOND.`
  if (all((answer) => answer.status >= 500))
    return `${where} answers ${status} to everything: the service is not up.`
  if (all((answer) => answer.status >= 300 && answer.status < 400))
    return `${where} redirects to ${first?.headers.location ?? 'elsewhere'}: give the address of the service itself.`
  if (all((answer) => isAccepted(answer) && looksLikeAPage(answer)))
    return `${where} answers with an HTML page: give the regional address of the service, ending in /v5.`
  const asked = found.some(({ of }) => of !== 'nothing')
  if (asked && all((answer) => answer.status === 404))
    return `${where} answers 404 to every id of TASK_IDS, READ_TASK_IDS and ASSESSMENT_IDS: check that they belong to this address, and that it ends in /v5.`
  return undefined
}

const looksLikeAPage = ({ headers, text }: Answer) =>
  /html/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html)/i.test(text)

/** The same probes under /v5, where the address lacks it; undefined where that is no better. */
async function underVersion(client: Client, settings: Settings, probes: Probe[]) {
  if (/\/v5$/.test(settings.baseUrl)) return undefined
  const base = `${settings.baseUrl}/v5`
  const found = await sendAll(client, probes, base)
  const isThere = found.some(
    ({ answer }) => answer && isAccepted(answer) && !looksLikeAPage(answer),
  )
  return isThere || (await asksForKeyOnlyAt(base, client, found)) ? found : undefined
}

/** An id that nobody has is found nowhere: then the service is where a key is asked for. */
async function asksForKeyOnlyAt(base: string, client: Client, found: Found[]): Promise<boolean> {
  const [first] = found
  if (!first || !found.every(isNowhere)) return false
  const isRefusedAt = async (at?: string) => {
    const ask = { method: 'GET', path: first.path, key: null, base: at, retries: false } as const
    return (await client.ask(ask).catch(() => undefined))?.status === 401
  }
  return !(await isRefusedAt()) && (await isRefusedAt(base))
}

const isNowhere = ({ of, answer }: Found) => of === 'nothing' && answer?.status === 404

function learn(settings: Settings, found: Found[]): Omit<Contact, 'requests'> {
  const gone = found.filter(({ answer }) => answer?.status === 404)
  const there = found.filter(({ answer }) => answer?.status !== 404)
  const notices = gone
    .filter(({ of }) => of !== 'nothing')
    .map(({ of, id }) => `the service has no ${of} ${id} (404): it is left out`)
  const lendable = new Set(settings.taskIds)
  const tasks = there
    .filter(({ of }) => of === 'task')
    .map(
      ({ id, answer }): KnownTask => ({
        id,
        lendable: lendable.has(id),
        assigned: assignedOf(answer),
      }),
    )
  const assessmentIds = there.filter(({ of }) => of === 'assessment').map(({ id }) => id)
  const absent = (of: Probe['of'], settings: string) =>
    gone.some((each) => each.of === of) ? `the service has none of ${settings} (404)` : undefined
  return {
    baseUrl: settings.baseUrl,
    notices,
    seen: there.flatMap((found) => seenOf(found)),
    known: {
      tasks,
      assessmentIds,
      readable: { task: firstRead(there, 'task'), assessmentId: firstRead(there, 'assessment') },
      noTask: absent('task', 'TASK_IDS and READ_TASK_IDS'),
      noAssessment: absent('assessment', 'ASSESSMENT_IDS'),
    },
  }
}

/** What an answer holds is a matter of the clauses, also where it cannot be read. */
function objectOf(answer: Answer): JsonObject | undefined {
  try {
    const body = jsonIn(answer)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

function seenOf({ of, id, answer }: Found): Seen[] {
  if (of === 'nothing') return []
  const body = answer && isAccepted(answer) ? objectOf(answer) : undefined
  return [{ of, id, status: answer?.status, ...(body && { body }) }]
}

/** One that was read; the last, as tasks that are only read come after those that may change. */
const firstRead = (found: Found[], of: Probe['of']) =>
  found.findLast(({ of: kind, answer }) => kind === of && answer && isAccepted(answer))?.id

function assignedOf(answer: Answer | undefined): KnownTask['assigned'] {
  const body = answer && objectOf(answer)
  if (!body) return 'unknown'
  if (body.assignment === null) return 'none'
  const kind = isObject(body.assignment) ? body.assignment.assigned_to_type : undefined
  return kind === 'USER' || kind === 'TEAM' ? kind : 'unknown'
}
