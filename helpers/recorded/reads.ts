// What recorded reads show.

import {
  describeAnswer,
  isAccepted,
  isObject,
  isRefused,
  type JsonObject,
  jsonIn,
} from '../../engine/http/answers.ts'
import { mediaTypeOf } from '../../engine/http/shapes.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { from } from '../../engine/origin.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { shown } from '../../engine/shown.ts'
import {
  lastingMembers,
  problemsOfApart,
  problemsOfError,
  problemsOfOtherAssessment,
  problemsOfSilence,
} from '../reads/readings.ts'
import {
  problemsOfGiven,
  problemsOfNonJson,
  problemsOfSecret,
  tellingValues,
} from '../reads/refusals.ts'
import { ownerOf, problemsOfAnswer, type Resource } from '../service/judge.ts'
import { fieldsOf } from '../service/schema.ts'
import type { Findings } from './findings.ts'
import { addTo } from './looks.ts'
import { ofGateways, type Seen } from './recorded.ts'

const ofBoth =
  'success identity fields identifiers timestamps not-found malformed-id malformed-id.status error-is-json repeatable success-status content-type'
export const clausesOfReads = [
  'auth.refused-reveals-nothing',
  ...`${ofBoth} types assignment assessment-resolves status-values`
    .split(' ')
    .map((name) => `task.read.${name}`),
  ...`${ofBoth} state states error-fields no-error error`
    .split(' ')
    .map((name) => `assessment.read.${name}`),
]

type Known = {
  isShown: boolean
  who: string | undefined
  gone: Seen[]
  last?: JsonObject
  /** when that was read, by which recorder */
  at?: Pick<Seen, 'end' | 'recorder'>
  exchange: number
}

type Task = { id: string; body: JsonObject; exchange: number }

/** Between two reads that follow one another like this, little happens by itself. */
const atOnceMs = 1000
const leastApart = 4
/** More at once would take too much memory. */
const mostWaiting = 10_000

/** Judges reads with a key that is not known to be wrong. */
export function createReadLaws(findings: Findings) {
  const known = new Map<string, Known>()
  const assessments = new Map<string, JsonObject>()
  const waiting = new Map<string, Task[]>()
  const controls = new Map<Resource, Seen>()
  let alive: Seen | undefined
  const refused: Seen[] = []
  const failed = new Map<string, Seen>()
  /** pairs of reads of one assessment, right after each other, that all differed; undefined once a pair is alike */
  let apart: { count: number; ids: Set<string>; problems: Problem[] } | undefined = {
    count: 0,
    ids: new Set(),
    problems: [],
  }

  const seeAccepted = (seen: Seen, resource: Resource) => {
    const { id, answer, number, body: bytes } = seen
    const of = (name: string) => `${resource}.read.${name}`
    findings.observed(of('success-status'), answer.status, number)
    findings.observed(of('content-type'), mediaTypeOf(answer) ?? 'none', number)
    if (bytes === undefined) return
    if (!isUuid(id)) {
      const member = resource === 'task' ? 'updated_at' : 'workflow_state'
      const what = resource === 'task' ? 'a Task' : 'an Assessment'
      findings.judged(of('malformed-id'), problemsOfGiven(answer, what, member), number)
      findings.judged(of('malformed-id.status'), problemsOfStatus(answer, 404), number)
      return
    }
    controls.set(resource, seen)
    alive = seen
    findings.broken(problemsOfAnswer(resource, id, answer))
    const body = jsonIn(answer)
    findings.decided([of('success')], number)
    if (!isObject(body)) return
    const set = fieldsOf(resource).filter((field) => body[field] != null)
    const forms = new Set(
      set.map((field) => ownerOf(resource, { path: field, kind: 'form' } as never)),
    )
    const always = ['identity', 'fields', resource === 'task' ? 'assignment' : 'error-fields']
    findings.decided([...new Set([...always, ...forms])].map(of), number)
    if (resource === 'task') seeTask(id, body, number)
    else seeAssessment(id, body, number)
    comparePair(seen, resource, body)
  }

  const seeTask = (id: string, body: JsonObject, number: number) => {
    findings.observed('task.read.status-values', shown(body.status), number)
    const key = String(body.assessment_id).toLowerCase()
    const assessment = assessments.get(key)
    if (assessment) resolve({ id, body, exchange: number }, assessment)
    else if (waiting.size < mostWaiting && !waiting.get(key)?.some((each) => each.id === id))
      addTo(waiting, key, { id, body, exchange: number })
  }

  const resolve = ({ id, body, exchange }: Task, assessment: JsonObject) =>
    findings.judged(
      'task.read.assessment-resolves',
      problemsOfOtherAssessment({ id, body }, assessment, assessment),
      exchange,
    )

  const seeAssessment = (id: string, body: JsonObject, number: number) => {
    const key = id.toLowerCase()
    if (!assessments.has(key)) {
      assessments.set(key, body)
      for (const each of waiting.get(key) ?? []) resolve(each, body)
      waiting.delete(key)
    }
    const state = String(body.workflow_state)
    findings.observed('assessment.read.states', state, number)
    if (state === 'Error')
      findings.judged('assessment.read.error', problemsOfSilence({ id, body }), number)
    if (state === 'Active' || state === 'Cancelled')
      findings.judged('assessment.read.no-error', problemsOfError({ id, body }), number)
  }

  /** A version stands for one state; an assessment has none, so every pair of reads has to differ. */
  const comparePair = (seen: Seen, resource: Resource, body: JsonObject) => {
    const { id, number, answer, start, end, recorder } = seen
    const place = known.get(`${resource} ${id.toLowerCase()}`)
    const now = from(lastingMembers(resource, body), answer)
    if (!place) return
    const { last, at } = place
    place.last = now
    place.at = { end, recorder }
    if (!last) return
    const isSame = JSON.stringify(now) === JSON.stringify(last)
    const isAtOnce = at?.recorder === recorder && start - at.end < atOnceMs
    if (resource === 'assessment' && isSame) apart = undefined
    else if (resource === 'assessment' && isAtOnce && apart) {
      apart.count += 1
      apart.ids.add(id)
      apart.problems = problemsOfApart('a read right after another', last, now)
    }
    const isComparable = resource === 'task' ? now.updated_at === last.updated_at : isSame
    if (!isComparable) return
    // The assignment that a version shows is the matter of another clause.
    const without = (read: JsonObject) => from({ ...read, assignment: null }, read)
    findings.judged(
      `${resource}.read.repeatable`,
      problemsOfApart('a read of the same version', without(last), without(now)),
      number,
    )
  }

  const seeRefused = (seen: Seen, resource: Resource) => {
    const { id, answer, number, body } = seen
    const of = (name: string) => `${resource}.read.${name}`
    if (body && answer.text.trim() !== '' && /json/.test(mediaTypeOf(answer) ?? ''))
      findings.judged(of('error-is-json'), problemsOfNonJson(answer), number)
    if (!isUuid(id)) {
      if (ofGateways.includes(answer.status)) return
      findings.decided([of('malformed-id')], number)
      findings.judged(of('malformed-id.status'), problemsOfStatus(answer, 404), number)
      return
    }
    if (answer.status === 404) findings.decided([of('not-found')], number)
    else if (!ofGateways.includes(answer.status)) refused.push(seen)
  }

  /** A 500 is judged where it persists, and others are answered meanwhile. */
  const seeFailed = (seen: Seen, place: string) => {
    const first = failed.get(place)
    if (!first) failed.set(place, seen)
    else if ((alive?.start ?? 0) > first.start) refused.push(seen)
  }

  return {
    see(seen: Seen) {
      const { resource, id, answer, who, number } = seen
      if (!resource || seen.method !== 'GET') return
      const place = `${resource} ${id.toLowerCase()}`
      const own = known.get(place)
      if (isAccepted(answer)) {
        failed.delete(place)
        const lost = who !== undefined && own?.isShown && own.who === who ? own.gone : []
        for (const { answer: gone, number } of lost)
          findings.judged(
            `${resource}.read.success`,
            [
              problem(`${describeAnswer(gone)}, and ${answer.status} before and after`, {
                expected: '2xx',
                judged: gone,
                control: [own?.exchange, answer],
              }),
            ],
            number,
          )
        known.set(place, {
          isShown: true,
          who,
          gone: [],
          exchange: own?.exchange ?? number,
          ...(own?.last ? { last: own.last } : {}),
          ...(own?.at ? { at: own.at } : {}),
        })
        seeAccepted(seen, resource)
        return
      }
      if (answer.status === 500) seeFailed(seen, place)
      if (!isRefused(answer)) return
      if (answer.status === 404) own?.gone.push(seen)
      if (answer.status === 401 && own?.last && seen.body) {
        const secrets = tellingValues(resource, own.last, answer.path)
        const shown = secrets.flatMap((each) => problemsOfSecret(each, answer, own.last))
        findings.judged('auth.refused-reveals-nothing', shown, number)
      }
      seeRefused(seen, resource)
    },
    /** A UUID is that of a resource or not: other refusals than 404 break one sentence or the other. */
    end() {
      if (apart && apart.count >= leastApart && apart.ids.size > 1)
        findings.judged(
          'assessment.read.repeatable',
          apart.problems,
          apart.problems[0]?.judged[0] ?? 0,
        )
      for (const { resource, id, answer, number } of refused) {
        const control = resource && (controls.get(resource) ?? alive)?.number
        if (!resource || control === undefined) continue
        const isShown = known.has(`${resource} ${id.toLowerCase()}`)
        const clause = `${resource}.read.${isShown ? 'success' : 'not-found'}`
        findings.judged(
          clause,
          problemsOfStatus(answer, isShown ? '2xx' : 404, { control }),
          number,
        )
      }
    },
  }
}
