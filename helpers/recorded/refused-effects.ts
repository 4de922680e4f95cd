// The effects of rejected updates: a task has the requested assignment, in a version that was made while the update
// was in flight.

import { addTo } from '../../engine/grouped.ts'
import { describeAnswer, isObject } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { problem } from '../../engine/problem.ts'
import type { Assignment, SeenTask } from '../service/answers.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import type { Owned } from '../service/judge.ts'
import type { Findings } from './findings.ts'
import { headOf, type Seen } from './recorded.ts'

/** The clauses that a rejected update breaks: if it takes effect, or if it only changes updated_at. */
export type Owners = { carriedOut?: string | undefined; touched?: string | undefined }

type Shown = SeenTask & { of: Brief }

/** A version that no recorded update made, and what the task showed before it. */
type Sight = Shown & { former: Shown; line: Line }

/** What one recording shows; only its own clock orders it. */
type Line = {
  /** how far the service's clock is ahead, as the versions of accepted updates show it */
  ahead: { count: number; least: number; most: number }
  refused: Map<string, (Owners & { of: Brief })[]>
  /** updates whose effect no answer shows */
  unknown: Map<string, Brief[]>
  last: Map<string, Shown>
}

/** Fewer accepted updates may fit one clock offset by chance. */
const leastMade = 5
/** A single one may be the work of another writer; several are hardly chance. */
const leastCarriedOut = 2
const leastTouched = 3
/** Updates that took longer are not judged: another writer may have come in between. */
const longestMs = 1000

const briefOf = ({ id, start, end, sent, answer, requestHeaders }: Seen) => ({
  task: id.toLowerCase(),
  ifMatch: requestHeaders['if-match'],
  ...{ start, end, sent },
  answer: headOf(answer),
})

type Brief = ReturnType<typeof briefOf>

export function createEffectLaws(findings: Findings) {
  const lines = new Map<number, Line>()
  const sights = new Map<string, Sight>()
  const lineOf = ({ recorder }: Seen): Line => {
    const known = lines.get(recorder)
    if (known) return known
    const ahead = { count: 0, least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY }
    const line: Line = { ahead, refused: new Map(), unknown: new Map(), last: new Map() }
    lines.set(recorder, line)
    return line
  }
  return {
    accepted(seen: Seen, shown: SeenTask) {
      const [{ ahead, last }, of] = [lineOf(seen), briefOf(seen)]
      const at = Date.parse(shown.version)
      ahead.count += 1
      ahead.least = Math.max(ahead.least, at - seen.end)
      ahead.most = Math.min(ahead.most, at - seen.start)
      last.set(of.task, { ...shown, of })
      sights.delete(`${of.task} ${shown.version}`)
    },
    /** A refused update, and what it breaks if the task shows its effect. */
    refused(seen: Seen, owners: Owners) {
      const of = briefOf(seen)
      if (of.end - of.start <= longestMs) addTo(lineOf(seen).refused, of.task, { ...owners, of })
    },
    unknown: (seen: Seen) => addTo(lineOf(seen).unknown, seen.id.toLowerCase(), briefOf(seen)),
    read(seen: Seen, shown: SeenTask, isKnown: boolean) {
      const [line, of] = [lineOf(seen), briefOf(seen)]
      const former = line.last.get(of.task)
      if (former && !isKnown)
        sights.set(`${of.task} ${shown.version}`, { ...shown, of, former, line })
      // A read may lag behind.
      const isOlder = former && isBefore(shown.version, former.version)
      if (!isOlder) line.last.set(of.task, { ...shown, of })
    },
    end() {
      const found = [...sights.values()].map(effectIn)
      // Another writer, a service that changes versions by itself, or a clock that cannot be trusted.
      if (found.includes('unexplained')) return
      const effects = found.filter((each) => typeof each === 'object')
      const [touched, carriedOut] = [true, false].map((isTouched) =>
        effects.filter((each) => each.isTouched === isTouched).map(({ owned }) => owned),
      ) as [Owned[], Owned[]]
      if (carriedOut.length >= leastCarriedOut) findings.broken(carriedOut)
      if (touched.length >= leastTouched) findings.broken(touched)
    },
  }
}

const isBefore = (version: string, other: string) => Date.parse(version) < Date.parse(other)

/**
 * The rejected update that was in flight when a version was made. A clock that is known too roughly decides
 * nothing.
 */
function effectIn(sight: Sight): { isTouched: boolean; owned: Owned } | 'unexplained' | undefined {
  const { version, assignment, former, of, line } = sight
  const { count, least, most } = line.ahead
  const at = Date.parse(version)
  if (count < leastMade || !(least <= most && at >= Date.parse(former.version)))
    return 'unexplained'
  const mayHold = ({ start, end }: Brief) => at - most <= end && at - least >= start
  const holds = ({ start, end }: Brief) => at - most >= start && at - least <= end
  if (line.unknown.get(of.task)?.some(mayHold)) return 'unexplained'
  const isTouched = isSameButSpelling(assignment, former.assignment)
  const matching = (line.refused.get(of.task) ?? []).filter(({ of: each, touched, carriedOut }) => {
    // Unless its version is stale, another writer may have made the same assignment.
    const isOutdated =
      each.ifMatch !== undefined && !(Date.parse(each.ifMatch) >= Date.parse(former.version))
    const mayHaveLost = each.answer.status === 409 && !isOutdated
    const isShown = (isTouched && touched) || (carriedOut && isAsked(each.sent, assignment))
    return each.end <= of.start && !mayHaveLost && isShown && mayHold(each)
  })
  if (matching.length === 0) return 'unexplained'
  const by = matching.find((each) => holds(each.of))
  const owner = isTouched ? by?.touched : by?.carriedOut
  return by && owner
    ? { isTouched, owned: { owner, ...problemOf(by.of.answer, sight, isTouched) } }
    : undefined
}

/** Whether an assignment has the values that an update sends. */
function isAsked(sent: unknown, now: Assignment | null): boolean {
  if (!isObject(sent)) return false
  if (isObject(sent.unassign)) return now === null
  const { update } = sent
  return (
    isObject(update) &&
    now !== null &&
    Object.entries(update).every(
      ([name, value]) => (now[name as keyof Assignment] ?? null) === (value ?? null),
    )
  )
}

const problemOf = (
  refused: Answer,
  { version, assignment, former, of }: Sight,
  isTouched: boolean,
) =>
  problem(
    `${describeAnswer(refused)}, and during it the task ${isTouched ? 'got' : 'changed to what it asked for, with'} the updated_at ${version}`,
    {
      expected: `${describeWhole(former.assignment)}, updated_at ${former.version}`,
      got: `${describeWhole(assignment)}, updated_at ${version}`,
      judged: [refused, of.answer],
      control: former.of.answer,
      again: { why: 'the time of the updated_at shows when the task was changed' },
    },
  )
