// The exchanges of a record, and which of them answers a request.

import { httpIn, readRecords } from './warc.ts'

/** An exchange of a record, by its number. */
export type Kept = {
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

export function keptIn(file: string): Map<number, Kept> {
  const all = new Map<number, Kept>()
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
const resourceOf = ({ method, path }: Pick<Kept, 'method' | 'path'>): string =>
  method === 'GET' ? path.replace(/\?.*/, '') : path.replace(/\/[^/]*$/, '')

type Used = { used: Set<number>; applied: Map<string, number> }

/** Notes that an exchange was repeated; an update may have changed its resource unless it was refused. */
export function use(kept: Kept, { used, applied }: Used): void {
  const isFirst = !used.has(kept.n)
  used.add(kept.n)
  if (!isFirst || !isChange(kept)) return
  const resource = resourceOf(kept)
  applied.set(resource, (applied.get(resource) ?? 0) + 1)
}

const isChange = ({ method, head }: Kept) =>
  method !== 'GET' && !(head && head.statusCode >= 400 && head.statusCode < 500)

/**
 * The exchange of the same request, made while the resource had been changed as often as now. A read may be
 * repeated twice; an update may not.
 */
export function findByRequest(
  asked: Pick<Kept, 'request' | 'method' | 'path'>,
  kept: ReadonlyMap<number, Kept>,
  state: Used,
): Kept | undefined {
  const resource = resourceOf(asked)
  const now = state.applied.get(resource) ?? 0
  let changes = 0
  let again: Kept | undefined
  for (const one of kept.values()) {
    if (one.request === asked.request && changes === now) {
      if (!state.used.has(one.n)) return one
      if (asked.method === 'GET') again = one
    }
    if (isChange(one) && resourceOf(one) === resource) changes += 1
  }
  return again
}
