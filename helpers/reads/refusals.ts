import {
  describeAnswer,
  isAccepted,
  isObject,
  isRefused,
  jsonIn,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { mediaTypeOf } from '../../engine/http/shapes.ts'
import type { Observation } from '../../engine/observation.ts'
import type { Origin } from '../../engine/origin.ts'
import { type Problem, problemUnless } from '../../engine/problem.ts'
import type { Faker } from '../../engine/random.ts'
import { shown } from '../../engine/shown.ts'
import { again } from '../service/again.ts'
import { needPermitted, premise } from '../service/answers.ts'
import { malformedIds } from '../service/ids.ts'
import type { How } from '../service/update-request.ts'
import { namedMembers, type Reading, type Resource } from './readings.ts'

export type Refusals = {
  unknown: Answer
  withoutKey: Answer
  /** the id of another resource, if one is known */
  otherKind?: Reading
}

type Read = (id: string, how?: How) => Promise<Answer>

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

/** Reads ids that are not UUIDs, most of them made from an existing one. */
export const fetchMalformed = (read: Read, random: Faker, known: string = random.string.uuid()) =>
  Promise.all(Object.values(malformedIds).map((idFrom) => read(idFrom(known))))

/**
 * A 404 counts only if the operation exists and the key is accepted: shown by a read of an existing
 * resource, or by 401 to the unknown id without the key.
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

/** Whether a refusal has a body that says it is JSON; other shapes are not shown. */
export const saysJson = (answer: Answer): boolean =>
  isRefused(answer) && answer.text.trim() !== '' && /json/.test(mediaTypeOf(answer) ?? '')

export const refusalsInJson = (refusals: Refusals, malformed: readonly Answer[]): Answer[] =>
  [refusals.unknown, refusals.withoutKey, ...malformed].filter(saysJson)

export const noneInJson =
  'no refusal had a body that says it is JSON; the shape of an error is not shown'

/** A resource, recognised by this member, came for an id that it cannot have. */
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

export function problemsOfNonJson(answer: Answer): Problem[] {
  const got = shown(answer.text)
  const sentence = `${describeAnswer(answer)} with ${got}, which is not JSON`
  const seen = { expected: 'JSON', got, judged: answer, again: again.json }
  return problemUnless(jsonIn(answer) !== undefined, sentence, seen)
}

const kinds = Object.keys(malformedIds)

/** A refusal, and what was wrong with its request. */
export type Refused = { kind: string; answer: Answer }

/** The refusals by their kinds; `malformed` holds the answers to malformed ids. */
export const refusedBy = (
  { unknown, withoutKey }: Refusals,
  malformed: Answer[] = [],
): Refused[] => [
  { kind: 'unknown id', answer: unknown },
  ...malformed.map((answer, at) => ({ kind: kinds[at] ?? `${at}`, answer })),
  { kind: 'no key', answer: withoutKey },
]

export const byKind =
  (shownOf: (answer: Answer) => Observation) =>
  (refused: readonly Refused[]): Observation =>
    Object.fromEntries(refused.map(({ kind, answer }) => [kind, shownOf(answer)]))

/** A refusal shows a value of the resource. */
export function problemsOfSecret(value: string, answer: Answer, control: Origin): Problem[] {
  const secret = value.toLowerCase()
  const isHidden = !answer.text.toLowerCase().includes(secret)
  const again = { signs: [{ lacks: [value] }] }
  const seen = { expected: 'nothing of the resource', got: value, judged: answer, control, again }
  return problemUnless(isHidden, `${describeAnswer(answer)} and shows ${value}`, seen)
}

/**
 * Strings of a resource that are long enough to be recognised and are neither words of the contract nor
 * part of the request.
 */
export function tellingValues(resource: Resource, value: unknown, path: string): string[] {
  if (!isObject(value)) return []
  const { status: _, workflow_state: __, assignment, ...rest } = namedMembers(resource, value)
  const { assigned_to_type: ___, ...person } = isObject(assignment) ? assignment : {}
  return [...Object.values(rest), ...Object.values(person)].filter(
    (each): each is string =>
      typeof each === 'string' &&
      each.length >= 8 &&
      !path.toLowerCase().includes(each.toLowerCase()),
  )
}
