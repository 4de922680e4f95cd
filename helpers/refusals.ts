import {
  isAccepted,
  isObject,
  isRefused,
  jsonIn,
  premise,
  premisePermitted,
  told,
} from './answers.ts'
import type { Answer } from './http/client.ts'
import type { Faker } from './random.ts'
import type { Reading } from './readings.ts'
import { shown } from './schema.ts'
import type { How } from './service.ts'
import { refusalShape } from './shapes.ts'

/** What reads of what does not exist get, and what the same reads get without the key. */
export type Refusals = {
  unknown: Answer
  /** ids that are no UUIDs */
  malformed: Answer[]
  withoutKey: Answer
}

/** Reads what cannot be there: an id that nothing has, and ids that are none. */
export async function refusalsOf(
  read: (id: string, how?: How) => Promise<Answer>,
  random: Faker,
): Promise<Refusals> {
  const id = random.string.uuid()
  const [unknown, withoutKey, ...malformed] = await Promise.all([
    read(id),
    read(id, { key: null }),
    read('not-a-uuid'),
    read(id.slice(0, -1)),
    read('0'),
  ])
  return { unknown, withoutKey, malformed }
}

/**
 * A 404 tells something only where the key is taken: shown by a read of what exists, or, where no
 * id is configured, by the unknown id itself getting anything but 401.
 */
export function needKeyTaken({ unknown }: Refusals, known: readonly Reading[]): void {
  if (known.some(({ answer }) => isAccepted(answer))) return
  premisePermitted(unknown)
  premise(unknown.status !== 401, `${told(unknown)} to the valid key`)
}

/** Whether an answer was accepted and its JSON body has the named member. */
export function holds(answer: Answer, member: string): boolean {
  const body = jsonIn(answer)
  return isAccepted(answer) && isObject(body) && member in body
}

const allOf = ({ unknown, malformed, withoutKey }: Refusals) => [unknown, ...malformed, withoutKey]

/** The refusals that have a body which is no JSON, one sentence each. */
export function notJson(refusals: Refusals): string[] {
  const bodies = allOf(refusals).filter((answer) => isRefused(answer) && answer.text !== '')
  premise(bodies.length > 0, 'no refusal had a body')
  return bodies
    .filter((answer) => jsonIn(answer) === undefined)
    .map((answer) => `${told(answer)} with ${shown(answer.text)}, which is not JSON`)
}

/** What the refusals look like, each by what was wrong with the request. */
export const refusalShapes = ({ unknown, malformed, withoutKey }: Refusals) => ({
  unknownId: refusalShape(unknown),
  malformedId: malformed.map(refusalShape),
  noKey: refusalShape(withoutKey),
})
