import type { Outcome } from './verdict.ts'

/** Trouble on the way to the service, or in the harness: the clause is inconclusive. */
export class Trouble extends Error {
  override name = 'Trouble'
}

/** A missing setting, missing data, or a legal choice of the service: the clause is skipped. */
export class NotDecidable extends Error {
  override name = 'NotDecidable'
}

/** A fact about the service that breaks the contract: the clause is broken. */
export class Breach extends Error {
  override name = 'Breach'
}

const firstLines = (message: string) =>
  message
    .replace(/ \/\/ Object\.is equality$/m, '')
    .split('\n')
    .slice(0, 12)
    .join('\n')
    .slice(0, 2000)

/**
 * What an error thrown by a clause's body says of the service. Only an assertion condemns; vitest's
 * own and our matchers' failures carry the own key `expected`. Anything else is our trouble.
 */
export function outcomeOf(error: unknown): Outcome {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  const reason = firstLines(message)
  if (name === 'Breach' || (error instanceof Error && Object.hasOwn(error, 'expected')))
    return { kind: 'broken', reason }
  if (name === 'NotDecidable') return { kind: 'undecided', reason }
  if (name === 'Trouble' || name === 'FateUnknown') return { kind: 'trouble', reason }
  return { kind: 'trouble', reason: `the suite itself stumbled: ${name}: ${reason}` }
}
