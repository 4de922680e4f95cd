import { isObject } from '../../engine/http/answers.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { parsed } from '../../engine/parsed.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Report } from '../../engine/run/report.ts'
import { exchangesBy } from './evidence.ts'

/** Where a refused request differs from its control: by the law, or else by the exchanges. */
export function differsOf(breach: Problem, report: Report): string[] | undefined {
  if (breach.differs) return breach.differs
  const [judged] = exchangesBy(breach.judged, report)
  const control = exchangesBy(breach.control, report).find(
    ({ method }) => method === judged?.method,
  )
  return judged && control && /^4/.test(breach.expected) ? placesOf(judged, control) : undefined
}

/** The places in which two requests differ, such as "header apikey" or "query range_start". */
export function placesOf(one: Exchange, other: Exchange): string[] {
  const [a, b] = [partsOf(one), partsOf(other)]
  const names = new Set([...a.keys(), ...b.keys()])
  return [...names].filter((name) => a.get(name) !== b.get(name))
}

/** The parts of a request by place. metadata is one parameter, so the key of metadata[key] belongs to its value. */
function partsOf({ method, base = '', path, requestHeaders, requestBody }: Exchange) {
  const [resource = '', query = ''] = path.split(/\?(.*)/s)
  const parts = new Map([
    ['method', method],
    ['address', base],
    ['path', resource],
  ])
  const add = (place: string, value: string) =>
    parts.set(place, `${parts.get(place) ?? ''}&${value}`)
  for (const pair of query.split('&').filter(Boolean)) {
    const [, name = '', rest = ''] = /^([^=[%]*)(.*)$/s.exec(pair) ?? []
    add(`query ${name}`, rest)
  }
  for (const [name, value] of Object.entries(requestHeaders))
    if (name !== 'traceparent') parts.set(`header ${name}`, value)
  if (requestBody !== undefined) addBody(add, requestBody)
  return parts
}

function addBody(add: (place: string, value: string) => void, text: string): void {
  const walk = (value: unknown, place: string) => {
    if (!isObject(value)) return add(place, JSON.stringify(value))
    for (const [name, member] of Object.entries(value)) walk(member, `${place} ${name}`)
  }
  const value = parsed(text)
  if (value === undefined) add('body', text)
  else walk(value, 'body')
}
