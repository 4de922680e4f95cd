import { describeAnswer } from '../../engine/http/answers.ts'
import type { Answer, Ask } from '../../engine/http/client.ts'
import { Trouble } from '../../engine/outcome.ts'
import type { Faker } from '../../engine/random.ts'
import { clock } from '../../engine/time/timers.ts'
import { isReadOperation, type Operation } from '../contract/operations.ts'
import { statuses } from '../contract/statuses.ts'

/** What the run knows of its key: if it stops working, that is trouble, not a breach. */
export type KeyUse = ReturnType<typeof createKeyUse>

export function createKeyUse() {
  const accepted = new Set<Operation>()
  const refusing = new Set<Operation>()
  let read: Ask | undefined
  let refusedSince: string | undefined
  return {
    isAccepted: (operation: Operation) => accepted.has(operation),
    /** Ends the clause at a rejected key if this operation, or a read, accepted the key before. */
    async note(
      operation: Operation,
      answer: Pick<Answer, 'method' | 'path' | 'status'>,
      ask: Ask,
      again: (ask: Ask) => Promise<Answer>,
    ) {
      if (answer.status !== statuses.badKey) {
        accepted.add(operation)
        if (isReadOperation(operation)) read ??= ask
        return
      }
      if (refusing.has(operation)) return
      if (!accepted.has(operation)) {
        if (!read) return
        if ((await again(read)).status !== statuses.badKey) {
          refusing.add(operation)
          return
        }
      }
      refusedSince ??= clock.iso()
      throw new Trouble(
        `${describeAnswer(answer)}: the key was accepted before, and is rejected since ${refusedSince}`,
      )
    },
  }
}

export function invalidKeysLike(key: string, random: Faker) {
  const last = key.endsWith('x') ? 'y' : 'x'
  const keys: [what: string, key: string][] = [
    ['a random key', random.string.alphanumeric(32)],
    ['an empty key', ''],
    ['the key without its last character', key.slice(0, -1)],
    ['the key with a suffix', `${key},!`],
    ['the key behind something else', `x${key}`],
    ['the key with another last character', `${key.slice(0, -1)}${last}`],
  ]
  return keys
    .filter(([, candidate], at) => candidate !== '' || at === 1)
    .map(([what, candidate]) => [what, { key: candidate }] as const)
}
