// The exchanges of a record, and which of them answers a request.

import { httpIn, readRecords } from './warc.ts'

/** An exchange of a record, by its number. */
export type KeptExchange = {
  n: number
  request: string
  method: string
  path: string
  head?: { statusCode: number; headers: Record<string, string | string[] | undefined> }
  body?: Buffer
  /** why its answer is not in the record */
  leftOut?: string
}

/** A request as it is compared: a traceparent identifies it and is not part of what is asked. */
export const comparable = (block: Buffer): string =>
  block.toString('latin1').replace(/^traceparent: .*\r\n/m, '')

export function keptIn(file: string): Map<number, KeptExchange> {
  const all = new Map<number, KeptExchange>()
  const bodies = new Map<string, Buffer>()
  for (const { fields, block } of readRecords(file)) {
    const n = Number(fields.Exchange)
    const type = fields['WARC-Type']
    if (type === 'request') {
      const [method = '', path = ''] = httpIn(block).first.split(' ')
      all.set(n, { n, request: comparable(block), method, path })
    }
    const kept = all.get(n)
    if (!kept || (type !== 'response' && type !== 'revisit')) continue
    const { first, headers, body } = httpIn(block)
    kept.head = { statusCode: Number(first.split(' ')[1]), headers }
    kept.body = type === 'response' ? body : bodies.get(fields['WARC-Refers-To'] ?? '')
    if (type === 'response') bodies.set(fields['WARC-Record-ID'] ?? '', body)
    if (fields['Left-Out']) kept.leftOut = fields['Left-Out']
  }
  return all
}

/** The resource that a request concerns: an update's path lies below it. */
const resourceOf = ({ method, path }: Pick<KeptExchange, 'method' | 'path'>): string =>
  method === 'GET' ? path.replace(/\?.*/, '') : path.replace(/\/[^/]*$/, '')

/** What a replay has repeated: exchanges, accepted changes by resource, and the last of these. */
export type Repeated = { used: Set<number>; changes: Map<string, number>; lastChange: number }

/** Notes that an exchange was repeated; an update may have changed its resource unless it was refused. */
export function repeat(kept: KeptExchange, repeated: Repeated): void {
  const isAgain = repeated.used.has(kept.n)
  repeated.used.add(kept.n)
  if (isAgain || !isChange(kept)) return
  const resource = resourceOf(kept)
  repeated.changes.set(resource, (repeated.changes.get(resource) ?? 0) + 1)
  repeated.lastChange = Math.max(repeated.lastChange, kept.n)
}

const isChange = ({ method, head }: KeptExchange) =>
  method !== 'GET' && !(head && head.statusCode >= 400 && head.statusCode < 500)

/** The end of the time that a query asks for, in a parameter whose name ends so. */
const endOf = (path: string): number =>
  Date.parse(/[?&]\w*end=([^&]*)/.exec(path)?.[1]?.replaceAll('%3A', ':') ?? '')

/**
 * The exchange of the same request in the same state: its resource was changed as often as now, or if nothing
 * changed it, it was made after the last change of all, which may show in it, or asks for a time that was over
 * when the record began. Only a read is repeated twice.
 */
export function findByRequest(
  asked: Pick<KeptExchange, 'request' | 'method' | 'path'>,
  kept: ReadonlyMap<number, KeptExchange>,
  { used, changes, lastChange }: Repeated,
  begun = 0,
): KeptExchange | undefined {
  const resource = resourceOf(asked)
  const isOfIt = (one: KeptExchange) => isChange(one) && resourceOf(one) === resource
  const all = [...kept.values()]
  const hasOwn = all.some(isOfIt)
  const isOver = endOf(asked.path) < begun
  let before = 0
  const alike = all.filter((one) => {
    const isAlike = one.request === asked.request && before === (changes.get(resource) ?? 0)
    if (isOfIt(one)) before += 1
    return isAlike && (hasOwn || isOver || one.n > lastChange)
  })
  const last = asked.method === 'GET' ? alike.at(-1) : undefined
  return alike.find(({ n }) => !used.has(n)) ?? last
}
