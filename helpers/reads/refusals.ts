import { type Case, caseOf, valueIn } from '../../engine/clause/case.ts'
import { malformedFinding } from '../../engine/findings/malformed.ts'
import { revealsFinding } from '../../engine/findings/reveals.ts'
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
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problemUnless } from '../../engine/problem.ts'
import type { Faker } from '../../engine/random.ts'
import type { Resource } from '../contract/fields.ts'
import { type ReadOperation, whyNeeded } from '../contract/operations.ts'
import { statuses } from '../contract/statuses.ts'
import { needPermitted, premise } from '../service/answers.ts'
import { malformedIds } from '../service/ids.ts'
import { namedMembers, type Reading, type ReadOne } from './readings.ts'

type Refusals = {
  unknown: Answer
  withoutKey: Answer
  otherKind?: Reading
}

export async function fetchRefusals(
  read: ReadOne,
  random: Faker,
  other?: string,
): Promise<Refusals> {
  const id = random.string.uuid()
  const [unknown, withoutKey, answer] = await Promise.all([
    read(id),
    read(id, { key: null }),
    other === undefined ? undefined : read(other),
  ])
  const otherKind = other !== undefined && answer ? { id: other, answer } : undefined
  return { unknown, withoutKey, otherKind }
}

export const fetchMalformed = (
  read: ReadOne,
  random: Faker,
  known: string = random.string.uuid(),
) => Promise.all(Object.values(malformedIds).map((idFrom) => read(idFrom(known))))

/**
 * That an id is unknown counts only if a read of an existing resource is accepted, or the key is asked for too.
 */
export function needKeyAccepted(
  { unknown, withoutKey }: Refusals,
  known: readonly Reading[],
  operation: ReadOperation,
): void {
  needPermitted(unknown)
  if (known.some(({ answer }) => isAccepted(answer))) return
  premise(unknown.status !== statuses.badKey, 'refused', `${describeAnswer(unknown)} to API_KEY`)
  const open = ` to an existing id: ${describeAnswer(withoutKey)} without the key too, so nothing shows that the operation exists`
  premise(withoutKey.status === statuses.badKey, ...whyNeeded(operation, open))
}

/** The contract does not specify other formats of errors. */
export const saysJson = (answer: Answer): boolean =>
  isRefused(answer) && answer.text.trim() !== '' && /json/.test(mediaTypeOf(answer) ?? '')

export const refusalsInJson = (
  { unknown, withoutKey }: Refusals,
  malformed: readonly Case<Answer>[],
): Case<Answer>[] =>
  [caseOf(unknown), caseOf(withoutKey), ...malformed].filter((refusal) =>
    saysJson(valueIn(refusal)),
  )

export const noneInJson =
  'no error response has a JSON Content-Type; the contract does not specify the format of errors'

/** A resource, recognised by these members, was returned for an id that it cannot have. */
export function problemsOfGiven(
  answer: Answer,
  resource: Resource,
  members: readonly string[],
): Problem[] {
  const body = jsonIn(answer)
  const isGiven = isAccepted(answer) && isObject(body) && members.every((member) => member in body)
  const finding = revealsFinding({ of: answer, resource, although: 'the id is not a UUID' })
  return problemUnless(!isGiven, finding, { judged: answer })
}

const mostLetters = 200

export function problemsOfNonJson(answer: Answer): Problem[] {
  const flaw = { is: 'not JSON', got: answer.text.slice(0, mostLetters) } as const
  const finding = malformedFinding(flaw, { of: answer })
  return problemUnless(jsonIn(answer) !== undefined, finding, { judged: answer })
}

const kinds = Object.keys(malformedIds)

export type Refused = { kind: string; answer: Answer }

export const refusedBy = (
  { unknown, withoutKey }: Refusals,
  malformed: readonly Case<Answer>[] = [],
): Case<Refused>[] => [
  refusedAs('unknown id', caseOf(unknown)),
  ...malformed.map((one, at) => refusedAs(kinds[at] ?? `${at}`, one)),
  refusedAs('no key', caseOf(withoutKey)),
]

const refusedAs = (kind: string, refusal: Case<Answer>): Case<Refused> =>
  caseOf({ kind, answer: valueIn(refusal) }, { judged: refusal.judged, control: refusal.control })

export const byKind =
  (shownOf: (answer: Answer) => Observation) =>
  (refused: readonly Refused[]): Observation =>
    Object.fromEntries(refused.map(({ kind, answer }) => [kind, shownOf(answer)]))

export function problemsOfReveal(resource: Resource, answer: Answer, control: Answer): Problem[] {
  const secrets = Object.entries(tellingValues(resource, jsonIn(control), answer.path))
  if (secrets.length === 0)
    throw new NotDecidable('data', 'no value of eight characters or more can be read')
  const body = answer.text.toLowerCase()
  const shown = secrets.filter(([, value]) => body.includes(value.toLowerCase()))
  const members = shown.map(([name]) => name)
  const finding = revealsFinding({ of: answer, resource, members })
  return problemUnless(shown.length === 0, finding, { judged: answer, control })
}

/** Long enough to be recognised, and neither words of the contract nor part of the request. */
function tellingValues(resource: Resource, value: unknown, path: string): Record<string, string> {
  if (!isObject(value)) return {}
  const { status: _, workflow_state: __, assignment, ...rest } = namedMembers(resource, value)
  const { assigned_to_type: ___, ...person } = isObject(assignment) ? assignment : {}
  const telling = Object.entries({ ...rest, ...person }).filter(
    (each): each is [string, string] =>
      typeof each[1] === 'string' &&
      each[1].length >= 8 &&
      !path.toLowerCase().includes(each[1].toLowerCase()),
  )
  return Object.fromEntries(telling)
}
