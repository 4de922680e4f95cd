import { notKnown, type Observation } from '../observation.ts'
import { isAccepted, isObject, jsonIn } from './answers.ts'
import type { Answer } from './client.ts'

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
      .map(([name, member]) => [uuid.test(name) ? 'ID' : name, shapeOf(member, depth + 1)]),
  )
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function typeOf(value: unknown): string {
  if (value === undefined || value === null) return notKnown
  return Array.isArray(value) ? 'array' : typeof value
}

export function typeAmong(values: readonly unknown[]): string {
  const types = new Set(values.map(typeOf).filter((type) => type !== notKnown))
  return types.size === 0 ? notKnown : [...types].sort().join(' or ')
}

export const mediaTypeOf = ({ headers }: Answer): string | null =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? null

export function refusalShape(answer: Answer): Observation {
  if (isAccepted(answer)) return 'accepted'
  const json = jsonIn(answer)
  const body = answer.text === '' ? 'empty' : json === undefined ? 'not JSON' : shapeOf(json)
  return { status: answer.status, mediaType: mediaTypeOf(answer), body }
}

export const statusOfRefusal = (answer: Answer): Observation =>
  isAccepted(answer) ? 'accepted' : answer.status

const plainForm = (value: string) =>
  value
    .replace(/(?<=\d)[.,]\d+/, '')
    .replace(/\d+/g, (digits) => (digits.length === 4 ? 'YYYY' : '00'.slice(0, digits.length)))

const fractionOf = (value: string) => /\d[.,](\d+)/.exec(value)?.[1]?.length ?? 0

/** Services drop trailing zeros: only the longest fraction of a form is a fact. */
export function timestampForms(values: readonly string[]): Observation {
  const longest = new Map<string, number>()
  for (const value of values) {
    const form = plainForm(value)
    longest.set(form, Math.max(longest.get(form) ?? 0, fractionOf(value)))
  }
  const told = (digits: number) =>
    digits === 0 ? 'no fraction' : `fractions of up to ${digits} digits`
  return Object.fromEntries([...longest].sort().map(([form, digits]) => [form, told(digits)]))
}

const cachingHeaders = ['age', 'etag', 'expires', 'last-modified', 'pragma', 'vary']

export function cachingOf({ headers }: Answer): Observation {
  return {
    'cache-control': headers['cache-control'] ?? null,
    others: cachingHeaders.filter((name) => name in headers),
  }
}

const ofTheWay =
  /^(age|connection|content-(encoding|length)|date|keep-alive|transfer-encoding|via|x-cache.*)$/

export function headersShown(answers: readonly Pick<Answer, 'headers'>[]): string[] {
  const [first, ...others] = answers.map(({ headers }) => Object.keys(headers))
  return (first ?? [])
    .filter((name) => !ofTheWay.test(name) && others.every((names) => names.includes(name)))
    .sort()
}

const nameOfCode = /(code|error|kind|message|name|reason|status|title|type)$/i
const wordOfCode = /^[a-z][\w .:/#~-]{0,60}$/i

/** Without texts with many digits, which belong to this one request. */
export function codesIn(answer: Answer): Observation {
  if (isAccepted(answer)) return 'accepted'
  const codes: Record<string, Observation> = {}
  const look = (value: unknown, path: string) => {
    if (Array.isArray(value)) look(value[0], `${path}[]`)
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value))
        look(inner, path ? `${path}.${name}` : name)
    else if (nameOfCode.test(path) && isCode(value)) codes[path] = value
  }
  look(jsonIn(answer), '')
  return codes
}

function isCode(value: unknown): value is string | number {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 1_000_000
  return typeof value === 'string' && wordOfCode.test(value) && !/(\d\D*){6}/.test(value)
}

export function spanClass(milliseconds: number): string {
  const limits = { '< 1 s': 1000, '< 10 s': 10_000, '< 1 min': 60_000 }
  const within = Object.entries(limits).find(([, limit]) => milliseconds < limit)
  return within?.[0] ?? 'a minute or more'
}
