import {
  type Answer,
  isGood,
  isMembers,
  type Letter,
  membersIn,
  type Operation,
  type Operator,
  type ProxyRequest,
} from './operators/operator.ts'

type Fetch = (request: Request, address?: string) => Promise<Response>

/** How often an operator changed something. */
export type Applied = { count: number }

export function operationOf({ url, method, body }: ProxyRequest): Operation | undefined {
  const { pathname, searchParams } = new URL(url)
  if (method === 'PUT' && /\/tasks\/[^/]+\/update-assignment$/.test(pathname)) {
    const members = membersIn(body)
    const unassigns = isMembers(members?.unassign) && members.update === undefined
    return unassigns ? 'assign.unassign' : 'assign.update'
  }
  if (method !== 'GET') return undefined
  if (/\/tasks\/[^/]+$/.test(pathname)) return 'task.read'
  if (/\/assessments\/[^/]+$/.test(pathname)) return 'assessment.read'
  if (!pathname.endsWith('/audit-sentinel/events/export')) return undefined
  return searchParams.get('file_type')?.toLowerCase() === 'pdf' ? 'export.pdf' : 'export.csv'
}

/** The service behind a proxy that applies one operator wherever possible. */
export function mutated(fetch: Fetch, { change, operation }: Operator, apikey: string) {
  const applied: Applied = { count: 0 }
  const kept = new Map<string, Answer | string>()
  const before: Letter[] = []
  const also = change.to === 'exchange' ? change.also : undefined

  const note = <T>(original: T, changed: T | undefined): T => {
    if (changed === undefined || isSame(original, changed)) return original
    applied.count += 1
    return changed
  }

  const answerTo = async (asked: ProxyRequest, send: (asked: ProxyRequest) => Promise<Answer>) => {
    if (change.to === 'request') return send(note(asked, change.by(asked)))
    if (change.to === 'exchange') {
      const sent = new Map<ProxyRequest, Answer>()
      const sending = async (one: ProxyRequest) => {
        const answer = await send(one)
        sent.set(one, answer)
        return answer
      }
      const answer = await change.by(asked, { send: sending, kept, apikey })
      // A changed side request counts, even if the answer is unchanged.
      if (answer !== undefined && answer === sent.get(asked) && sent.size > 1) applied.count += 1
      if (answer !== undefined) return note(sent.get(asked), answer) ?? answer
      // Do not send it twice: the operator's own unchanged request has the answer.
      return sent.get(asked) ?? send(asked)
    }
    const answer = await send(asked)
    if (change.to === 'limit') applied.count += 1
    if (change.to !== 'answer') return answer
    const fits = change.with === 'success' ? isGood(answer) : answer.status === change.with
    return fits ? note(answer, await change.by(answer)) : answer
  }

  return {
    applied,
    async fetch(request: Request, address?: string): Promise<Response> {
      const asked = await askedOf(request)
      const found = operationOf(asked)
      const send = async (one: ProxyRequest) => answerOf(await fetch(requestOf(one), address))
      const fits = found !== undefined && (found === operation || found === also)
      return responseOf(await (fits ? answerTo(asked, send) : send(asked)))
    },
    mails<L extends Letter>(letter: L): L[] {
      if (change.to !== 'mail') return [letter]
      const letters = change.by(letter, before)
      before.push(letter)
      if (!isSame([letter], letters)) applied.count += 1
      return letters.map((one) => ({ ...letter, ...one }))
    },
    /** The most events of a PDF. */
    limit: (limit: number) => (change.to === 'limit' ? change.by(limit) : limit),
  }
}

const isSame = (one: unknown, two: unknown) =>
  one === two || (one !== undefined && shown(one) === shown(two))
const shown = (value: unknown) =>
  JSON.stringify(value, (_, inner) =>
    inner instanceof Uint8Array ? Buffer.from(inner).toString('latin1') : inner,
  )

async function askedOf(request: Request): Promise<ProxyRequest> {
  const { method, url, headers } = request
  return { method, url, headers: Object.fromEntries(headers), body: await request.text() }
}

const requestOf = ({ method, url, headers, body }: ProxyRequest) =>
  new Request(url, { method, headers, ...(method === 'GET' || method === 'HEAD' ? {} : { body }) })

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response
  const body = new Uint8Array(await response.arrayBuffer())
  return { status, headers: Object.fromEntries(headers), body }
}

/** Recomputes the length of the body; some statuses have no body. */
function responseOf({ status, headers, body }: Answer): Response {
  const { 'content-length': _, ...others } = headers
  const bodiless = [101, 204, 205, 304].includes(status)
  return new Response(bodiless ? null : new Uint8Array(body), { status, headers: others })
}
