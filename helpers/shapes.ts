import { jsonIn } from './answers.ts'
import type { Observation } from './clause.ts'
import type { Answer } from './http/client.ts'

/** The shape of a JSON value: member names and types, free of what a run makes up. */
export function shapeOf(value: unknown, depth = 0): Observation {
  if (value === null) return 'null'
  if (Array.isArray(value))
    return depth > 4 ? 'array' : value.slice(0, 1).map((item) => shapeOf(item, depth + 1))
  if (typeof value !== 'object') return typeof value
  if (depth > 4) return 'object'
  const members = Object.entries(value).slice(0, 50)
  return Object.fromEntries(
    members
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, shapeOf(member, depth + 1)]),
  )
}

/** The media type of an answer, without its parameters; null when it names none. */
export const mediaTypeOf = ({ headers }: Answer): string | null =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? null

/** What a refusal looks like: status, media type and the shape of its body. */
export function refusalShape(answer: Answer): Observation {
  const json = jsonIn(answer)
  const body = answer.text === '' ? 'empty' : json === undefined ? 'not JSON' : shapeOf(json)
  return { status: answer.status, mediaType: mediaTypeOf(answer), body }
}

/** The form of a timestamp: its punctuation, its zone, and how many digits its fraction has. */
export const timestampForm = (value: string) =>
  value
    .replace(/(?<=\d[.,])\d+/, (fraction) => `(${fraction.length} digits)`)
    .replace(/(?<![(\d])\d+(?! digits)/g, (digits) =>
      digits.length === 4 ? 'YYYY' : '00'.slice(0, digits.length),
    )

const cachingHeaders = ['age', 'etag', 'expires', 'last-modified', 'pragma', 'vary']

/** The headers that speak of caching: Cache-Control with its value, the others by name. */
export function cachingOf({ headers }: Answer): Observation {
  return {
    'cache-control': headers['cache-control'] ?? null,
    others: cachingHeaders.filter((name) => name in headers),
  }
}

/** How long something took, as roughly as two runs agree on it. */
export function spanClass(milliseconds: number): string {
  const limits = { '< 1 s': 1000, '< 10 s': 10_000, '< 1 min': 60_000 }
  const within = Object.entries(limits).find(([, limit]) => milliseconds < limit)
  return within?.[0] ?? 'a minute or more'
}
