import type { Exchange } from '../http/exchange.ts'
import type { Problem } from '../problem.ts'
import { verdictOf } from '../verdict.ts'
import type { MetHere } from './report.ts'
import type { Judged } from './run-clauses.ts'

type ExchangeSources = {
  all: ReadonlyMap<number, Exchange>
  settings: { bodies: 'none' | 'failed' | 'all'; strict: boolean }
}

/** Every exchange once, with its bodies if they are kept for one of its clauses. */
export function exchangesOf(
  judged: readonly Judged[],
  met: readonly MetHere[],
  { all, settings: { bodies, strict } }: ExchangeSources,
): Exchange[] {
  const found = new Map<number, Exchange>()
  const note = (numbers: readonly number[], isKept: boolean) => {
    for (const number of numbers) {
      const exchange = all.get(number)
      if (!exchange || (!isKept && found.has(number))) continue
      found.set(number, isKept ? exchange : withoutBodies(exchange))
    }
  }
  for (const { facts, outcome, evidence } of judged) {
    const verdict = verdictOf(facts.level, outcome, strict)
    const isGreen = verdict === 'pass' || verdict === 'observed' || verdict === 'skip'
    const breaches = outcome.kind === 'broken' ? outcome.breaches : []
    const numbers = [...evidence.map(({ number }) => number), ...numbersIn(breaches)]
    note(numbers, bodies === 'all' || (bodies === 'failed' && !isGreen))
    // To repeat what was judged, keep the exchange before it too, of any clause.
    if (bodies !== 'none' && !isGreen)
      for (const { judged: own } of breaches) note(lastBefore(own, all), true)
  }
  note(numbersIn(met), bodies !== 'none')
  return [...found.values()].sort((a, b) => a.number - b.number)
}

/** The last accepted exchange before these about the same resource. */
function lastBefore([first]: readonly number[], all: ReadonlyMap<number, Exchange>): number[] {
  const judged = all.get(first ?? 0)
  if (!judged) return []
  return [...all.values()]
    .filter(
      ({ number, path, status = 0 }) =>
        number < judged.number && status < 300 && isWithin(judged.path, path),
    )
    .map(({ number }) => number)
    .sort((a, b) => a - b)
    .slice(-1)
}

const isWithin = (path: string, other: string) =>
  path === other || path.startsWith(`${other}/`) || other.startsWith(`${path}/`)

const withoutBodies = ({ body: _, requestBody: __, ...rest }: Exchange): Exchange => rest

const numbersIn = (breaches: readonly Problem[]): number[] =>
  breaches.flatMap(({ judged, control }) => [...judged, ...control])
