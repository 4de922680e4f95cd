import { type Case, caseOf } from '../../engine/clause/case.ts'
import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { problemsOfStatus } from '../../engine/http/status-problems.ts'
import type { Origin } from '../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Faker } from '../../engine/random.ts'
import type { ReadOperation } from '../contract/operations.ts'
import { statuses } from '../contract/statuses.ts'
import { askedBetween } from '../service/answered.ts'
import type { How } from '../service/update-request.ts'
import type { Reading } from './readings.ts'
import { needKeyAccepted } from './refusals.ts'

type Asking = {
  random: Faker
  clause: string
  /** ends the clause if a rejection has another reason than the id */
  needControl: (unknown: Answer) => Promise<Control | undefined>
  askKnown?: (() => Promise<Answer>) | undefined
}

const count = 3

export type Control = { control: Origin; differs?: readonly string[] }

/** the control of a 403 is another unknown id's answer */
type Unknown = Answer | { forbidden: Answer; control: Answer }

/**
 * Permissions may be a list of resources, so 403 to all ids is for the operator to explain. 403 to some ids while
 * others are unknown, twice, is a breach.
 */
export async function* fetchUnknown(
  send: (id: string, how?: How) => Promise<Answer>,
  { random, clause, needControl, askKnown }: Asking,
): AsyncGenerator<Case<Unknown>> {
  const ids = Array.from({ length: count }, () => random.string.uuid())
  const ask = (id: string) => askedBetween((how) => send(id, how), askKnown)
  const asked = await Promise.all(ids.map(async (id) => ({ id, ...(await ask(id)) })))
  const [first] = asked.filter(({ answer }) => answer.status === 403)
  const others = asked.filter(({ answer }) => answer.status !== 403)
  const [other] = others
  if (first && !other)
    throw new NotDecidable(
      'refused',
      `${describeAnswer(first.answer)}, like all of ${count} unknown ids; if the key may only use certain ids, set NOT_PERMITTED=${clause}`,
    )
  const known = other && (await needControl(other.answer))
  for (const { answer, control } of others) yield caseOf(answer, known ?? { control })
  if (!first || !other) return
  const { answer: forbidden } = await ask(first.id)
  const { answer: control } = await ask(other.id)
  yield caseOf({ forbidden, control }, { judged: forbidden, control })
}

export function problemsOfUnknown(one: Unknown): Problem[] {
  if (!('forbidden' in one)) return problemsOfStatus(one, statuses.unknownId)
  const { forbidden, control } = one
  if (control.status !== statuses.unknownId)
    throw new Trouble(
      `${describeAnswer(control)}, but ${statuses.unknownId} to the same request before`,
    )
  const although = `${describeAnswer(control)}, both twice, and both ids are unknown`
  return problemsOfStatus(forbidden, statuses.unknownId, { although, control })
}

export const fetchUnknownReads = (
  read: (id: string, how?: How) => Promise<Answer>,
  known: readonly Reading[],
  { random, clause, operation }: Pick<Asking, 'random' | 'clause'> & { operation: ReadOperation },
): AsyncGenerator<Case<Unknown>> => {
  const control = known.find(({ answer }) => isAccepted(answer))
  return fetchUnknown(read, {
    random,
    clause,
    askKnown: control && (() => read(control.id)),
    needControl: async (unknown) => {
      const withoutKey = await read(random.string.uuid(), { key: null })
      needKeyAccepted({ unknown, withoutKey }, known, operation)
      return { control: control?.answer }
    },
  })
}
