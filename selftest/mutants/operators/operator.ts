// The types of mutants.

export const operations = [
  'task.read',
  'assign.update',
  'assign.unassign',
  'assessment.read',
  'export.csv',
  'export.pdf',
] as const
export type Operation = (typeof operations)[number]

type Headers = Readonly<Record<string, string>>
/** A request as the proxy holds it; header names are in lower case. */
export type ProxyRequest = { method: string; url: string; headers: Headers; body: string }
/** An answer as the proxy holds it; header names are in lower case. */
export type Answer = { status: number; headers: Headers; body: Uint8Array }
/** The parts of a mail that mutants use. */
export type Letter = { to: { name: string; mail: string }[]; text: string; html: string }

/** The way to the service: `send` calls it, `kept` is state between requests. */
export type Road = {
  send(asked: ProxyRequest): Promise<Answer>
  kept: Map<string, Answer | string>
  apikey: string
}

type Changed<T> = T | undefined | Promise<T | undefined>

/** `undefined`: nothing to change. An exchange may get the requests of one more operation. */
export type Change =
  | { to: 'answer'; with: 'success' | number; by(answer: Answer): Changed<Answer> }
  | { to: 'request'; by(asked: ProxyRequest): ProxyRequest | undefined }
  | { to: 'exchange'; also?: Operation; by(asked: ProxyRequest, road: Road): Changed<Answer> }
  | { to: 'limit'; by(limit: number): number }
  | { to: 'mail'; by(letter: Letter, before: readonly Letter[]): readonly Letter[] }

/** The id consists of an operation, the changed part, and the change. */
export type Operator = { id: string; operation: Operation; change: Change }

const operator = (id: string, change: Change): Operator => ({
  id,
  operation: id.slice(0, id.indexOf('/')) as Operation,
  change,
})

/** Changes each successful answer, or each with this status. */
export const answer = (
  id: string,
  by: (answer: Answer) => Changed<Answer>,
  status: 'success' | number = 'success',
) => operator(id, { to: 'answer', with: status, by })
export const request = (id: string, by: (asked: ProxyRequest) => ProxyRequest | undefined) =>
  operator(id, { to: 'request', by })
export const exchange = (
  id: string,
  by: (asked: ProxyRequest, road: Road) => Changed<Answer>,
  also?: Operation,
) => operator(id, { to: 'exchange', by, ...(also && { also }) })
export const limit = (id: string, by: (limit: number) => number) =>
  operator(id, { to: 'limit', by })
export const mail = (
  id: string,
  by: (letter: Letter, before: readonly Letter[]) => readonly Letter[],
) => operator(id, { to: 'mail', by })

export const isGood = ({ status }: Answer) => status >= 200 && status < 300
export const textOf = ({ body }: Answer) => new TextDecoder().decode(body)
export const bytesOf = (text: string) => new TextEncoder().encode(text)
export const withText = (a: Answer, text: string): Answer => ({ ...a, body: bytesOf(text) })
export function withHeader(a: Answer, name: string, value?: string): Answer {
  const { [name]: _, ...headers } = a.headers
  return { ...a, headers: value === undefined ? headers : { ...headers, [name]: value } }
}

export type Json = null | boolean | number | string | Json[] | Members
export type Members = { [name: string]: Json }

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function membersIn(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function changeJson(a: Answer, by: (members: Members) => Json | undefined) {
  const members = membersIn(textOf(a))
  const changed = members && by(members)
  return changed === undefined ? undefined : withText(a, JSON.stringify(changed))
}

/** A time as answers write it, an hour later. */
export const anHourLater = (text: string) => new Date(Date.parse(text) + 3_600_000).toISOString()
