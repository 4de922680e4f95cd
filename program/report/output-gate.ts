import { redactorOfAll } from '../../engine/http/redaction.ts'
import { clauseGlobs } from '../../helpers/contract/sentences.ts'
import type { Out } from '../../reporting/console.ts'

/** The ids in the contract's sentences; of a pattern, the part before its star. */
const ownIds: string[] = clauseGlobs
  .map((id) => id.replace(/\*.*/, ''))
  .filter((id) => /\..*\w/.test(id))

/**
 * The last filter before output: a service may echo the key in any value, and reasons and messages quote
 * values. Ids of this suite are kept even if they contain the key.
 */
export function createOutputGate(secrets: readonly string[]) {
  const taken = redactorOfAll(secrets)
  const kept = ownIds.flatMap((id): [string, string][] =>
    taken(id) === id ? [] : [[taken(id), id]],
  )
  const redact = (text: string) =>
    kept.reduce((whole, [cutUp, id]) => whole.replaceAll(cutUp, id), taken(text))
  return {
    // Reads through: the width of a terminal may change.
    out: (out: Out): Out =>
      Object.assign(Object.create(out), { write: (text: string) => out.write(redact(text)) }),
    value: <T>(value: T): T => JSON.parse(redact(JSON.stringify(value))),
    error: (error: unknown) => {
      if (!(error instanceof Error)) return error
      const { message, stack = '' } = error
      return Object.assign(error, { message: redact(message), stack: redact(stack) })
    },
  }
}
