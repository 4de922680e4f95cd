import { rowsOf } from './csv.ts'
import { type Operator, operations, operator, textOf, withText } from './operator.ts'
import { asId, exchange, good, idOf, inner, withKey } from './road.ts'

/** No key, or a wrong one, opens this operation. */
const doors = operations.flatMap((operation) => [
  exchange(operation, 'key-missing', 'lets in a request without a key', async (asked, road) =>
    asked.headers.apikey === undefined ? road.send(withKey(asked, road)) : undefined,
  ),
  exchange(operation, 'key-wrong', 'lets in a request with any key', async (asked, road) =>
    asked.headers.apikey !== undefined && asked.headers.apikey !== road.apikey
      ? road.send(withKey(asked, road))
      : undefined,
  ),
])

const reads = (['task.read', 'assessment.read'] as const).flatMap((operation) => [
  exchange(operation, 'swap-ids', 'answers with the resource asked for before', async (a, road) => {
    const before = road.kept.get('path')
    road.kept.set('path', idOf(a))
    return typeof before === 'string' && before !== idOf(a) ? road.send(asId(a, before)) : undefined
  }),
  exchange(
    operation,
    'replay',
    'answers a repeated read with its first answer',
    async (a, road) => {
      const kept = road.kept.get(a.url)
      if (typeof kept === 'object' && a.headers.apikey === road.apikey) return kept
      const answer = await road.send(a)
      if (good(answer)) road.kept.set(a.url, answer)
      return undefined
    },
  ),
  exchange(
    operation,
    'unknown-known',
    'answers an unknown id with the last one found',
    async (a, road) => {
      const answer = await road.send(a)
      if (good(answer)) road.kept.set('last', answer)
      const last = road.kept.get('last')
      return answer.status === 404 && typeof last === 'object' ? last : undefined
    },
  ),
  exchange(operation, 'once', 'does not find a resource the second time', async (a, road) => {
    if (road.kept.has(a.url)) return road.send(asId(a, `${idOf(a)}-gone`))
    const answer = await road.send(a)
    if (good(answer)) road.kept.set(a.url, answer)
    return undefined
  }),
  exchange(
    operation,
    'keyless-replay',
    'answers from a store without asking for the key',
    async (a, road) => {
      const kept = road.kept.get(a.url)
      if (typeof kept === 'object') return a.headers.apikey === road.apikey ? undefined : kept
      const answer = await road.send(a)
      if (good(answer)) road.kept.set(a.url, answer)
      return undefined
    },
  ),
])

const late: readonly Operator[] = [
  exchange('task.read', 'late', 'shows a change from the second read on', async (a, road) => {
    const kept = road.kept.get(a.url)
    const answer = await road.send(a)
    if (good(answer)) road.kept.set(a.url, answer)
    const changed = typeof kept === 'object' && textOf(kept) !== textOf(answer)
    return changed && good(answer) ? kept : undefined
  }),
]

/** What a comment leaves in the export: nothing, an event without it, or an event with half of it. */
const unrecorded = (
  operation: 'assign.update' | 'assign.unassign',
  part: string,
  what: string,
  by: (row: string, comment: string) => string,
): Operator =>
  operator(operation, 'exchange', part, what, {
    to: 'exchange',
    also: 'export.csv',
    async by(asked, road) {
      const comment = inner(asked)?.assignment_comment
      if (typeof comment === 'string' && comment !== '') road.kept.set(comment, comment)
      if (asked.method !== 'GET') return undefined
      const answer = await road.send(asked)
      if (!good(answer)) return undefined
      const written = (text: string) => text.replaceAll('"', '""')
      const rows = rowsOf(textOf(answer)).map((row) => {
        const found = [...road.kept.keys()].find((text) => row.includes(written(text)))
        return found === undefined ? row : by(row, written(found))
      })
      return withText(answer, rows.join(''))
    },
  })

const comments = (['assign.update', 'assign.unassign'] as const).flatMap((operation) => [
  unrecorded(operation, 'comment-no-event', 'records no event for a comment', () => ''),
  unrecorded(operation, 'comment-lost', 'records the event without the comment', (row, text) =>
    row.replace(text, ''),
  ),
  unrecorded(operation, 'comment-half', 'records half of the comment', (row, text) =>
    row.replace(text, text.slice(0, Math.floor(text.length / 2)).replaceAll('"', '')),
  ),
])

export const exchangeOperators: readonly Operator[] = [...doors, ...reads, ...late, ...comments]
