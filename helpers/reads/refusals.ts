import {
  describeAnswer,
  isAccepted,
  isObject,
  isRefused,
  jsonIn,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { refusalShape } from '../../engine/http/shapes.ts'
import { type Problem, problemUnless } from '../../engine/problem.ts'
import type { Faker } from '../../engine/random.ts'
import { shown } from '../../engine/shown.ts'
import { again } from '../service/again.ts'
import { needPermitted, premise } from '../service/answers.ts'
import { malformedIds } from '../service/ids.ts'
import type { How } from '../service/update-request.ts'
import type { Reading } from './readings.ts'

/** What reads of what does not exist get, and what the same reads get without the key. */
export type Refusals = {
  unknown: Answer
  withoutKey: Answer
  /** the id of something of the other kind, where one is known */
  otherKind?: Reading
}

type Read = (id: string, how?: How) => Promise<Answer>

/** Reads an id that nothing has, with the key and without, and one that something else has. */
export async function fetchRefusals(read: Read, random: Faker, other?: string): Promise<Refusals> {
  const id = random.string.uuid()
  const [unknown, withoutKey, answer] = await Promise.all([
    read(id),
    read(id, { key: null }),
    other === undefined ? undefined : read(other),
  ])
  const otherKind = other !== undefined && answer ? { id: other, answer } : undefined
  return { unknown, withoutKey, otherKind }
}

/** Reads ids that are no UUIDs, most of them made of one that exists, where any is known. */
export const fetchMalformed = (read: Read, random: Faker, known: string = random.string.uuid()) =>
  Promise.all(Object.values(malformedIds).map((idFrom) => read(idFrom(known))))

/**
 * A 404 tells something only where the operation is there and the key is taken: shown by a read of
 * what exists, or by the unknown id getting 401 without the key.
 */
export function needKeyAccepted(
  { unknown, withoutKey }: Refusals,
  known: readonly Reading[],
): void {
  needPermitted(unknown)
  if (known.some(({ answer }) => isAccepted(answer))) return
  premise(unknown.status !== 401, 'refused', `${describeAnswer(unknown)} to API_KEY`)
  premise(
    withoutKey.status === 401,
    'setting',
    `${describeAnswer(withoutKey)}, also without the key; set an existing id to show that the operation exists`,
  )
}

/** The refusals that have a body. */
export const refusalsWithBody = (refusals: Refusals, malformed: readonly Answer[]): Answer[] =>
  [refusals.unknown, refusals.withoutKey, ...malformed].filter(
    (answer) => isRefused(answer) && answer.text.trim() !== '',
  )

/** That a resource, known by this member, came for an id that cannot be one of it. */
export function problemsOfGiven(answer: Answer, what: string, member: string): Problem[] {
  const body = jsonIn(answer)
  const isGiven = isAccepted(answer) && isObject(body) && member in body
  return problemUnless(!isGiven, `${describeAnswer(answer)} with ${what}, not without one`, {
    expected: `no ${what.replace(/^an? /, '')}`,
    got: what,
    judged: answer,
    again: { signs: [], or: '4xx' },
  })
}

/** That a body is not JSON. */
export function problemsOfNonJson(answer: Answer): Problem[] {
  const got = shown(answer.text)
  const sentence = `${describeAnswer(answer)} with ${got}, which is not JSON`
  const seen = { expected: 'JSON', got, judged: answer, again: again.json }
  return problemUnless(jsonIn(answer) !== undefined, sentence, seen)
}

const kinds = Object.keys(malformedIds)

/** What the refusals look like, each by what was wrong with the request. */
export const refusalShapes = ({ unknown, withoutKey }: Refusals, answers: Answer[]) => ({
  'unknown id': refusalShape(unknown),
  ...Object.fromEntries(answers.map((each, at) => [kinds[at] ?? at, refusalShape(each)])),
  'no key': refusalShape(withoutKey),
})
