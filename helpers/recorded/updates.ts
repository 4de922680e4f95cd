// What recorded updates show, and the reads around them.

import {
  describeAnswer,
  isAccepted,
  isObject,
  isRefused,
  jsonIn,
} from '../../engine/http/answers.ts'
import { mediaTypeOf } from '../../engine/http/shapes.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { problem } from '../../engine/problem.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { createHistory, type History, isAcceptedOp, type Op } from '../history/history.ts'
import { problemsOfOp } from '../history/laws.ts'
import { leftTasksOf, problemOfUndone } from '../history/left-changed.ts'
import { isSameId } from '../service/ids.ts'
import { problemsOfAnswer } from '../service/judge.ts'
import { type FormerTasks, problemsOfOtherFields } from '../service/other-fields.ts'
import {
  isTold,
  keyOf,
  problemsOfRead,
  problemsOfUpdate,
  type Sightings,
  seenIn,
} from '../service/read-back.ts'
import { problemsOf } from '../service/schema.ts'
import {
  isDescribed,
  isReadAsType,
  isUnassign,
  toIn,
  transitions,
} from '../service/update-request.ts'
import { nearVersions, wrongVersions } from '../service/wrong-versions.ts'
import type { Findings } from './findings.ts'
import type { Seen } from './recorded.ts'
import { comments, formOf, isCarriedOut, transitionOf } from './update-forms.ts'

const required = ['assigned_by_id', 'assigned_to_id', 'assigned_to_type', 'unassign-assigned_by_id']
const madeVersions = Object.entries({ ...wrongVersions, ...nearVersions })

/** The clauses on updates that a recording can decide. */
export const clausesOfUpdates = [
  ...transitions.map((name) => `assign.${name}`),
  ...comments.map((name) => `assign.comment.${name}`),
  ...required.flatMap((name) => [`assign.required.${name}`, `assign.required.${name}.status`]),
  ...[
    'answer-is-task',
    'persisted',
    'persisted.version',
    'new-version',
    'new-version.same-assignee',
    'fields-as-given',
    'only-the-assignment',
    'type-values',
    'type-values.status',
    'malformed-id',
    'malformed-id.status',
    'not-found.update',
    'not-found.unassign',
    'success-status',
    'content-type',
  ].map((name) => `assign.${name}`),
  ...[
    'stale.assign',
    'stale.reassign',
    'stale.unassign',
    'one-winner',
    'current-accepted',
    'retry',
    'refused-changes-nothing',
    'refused-changes-nothing.version',
    'required',
    'required.unassign',
    'star',
    'wrong.garbage',
    'wrong.garbage.status',
    ...madeVersions.map(([name]) => `wrong.${name}`),
  ].map((name) => `version.${name}`),
]

/** The forms of a comment with which an update has to be accepted. */
const toAccept = ['null', 'omitted', 'unassign-with', 'unassign-without', 'unassign-null']

/** A read that comes later than this after an update shows what it left, on any replica. */
const quietMs = 30_000

type State = {
  /** the version that the last accepted read or answer showed, and the assignment */
  version?: string
  assigned?: string | null
  exchange?: number
  /** updates answered 409 with that very version, which the read before them showed */
  mismatches: { op: Op; seen: Seen; read: number }[]
  refused?: { seen: Seen; version: string } | undefined
  /** the last read was answered 404, and what was sent since then */
  isAbsent: boolean
  puts: Seen[]
}

/** What a recorder's clock puts in order. */
type Line = {
  history: History
  at: number
  states: Map<string, State>
  open: { op: Op; end: number; seen: Seen; done: () => void }[]
}

export type Told = { actorId?: string | undefined }

/** Judges reads and updates of tasks, each recording in its own order. */
export function createUpdateLaws(findings: Findings, { actorId }: Told) {
  const lines = new Map<number, Line>()
  const sightings: Sightings = new Map()
  const former: FormerTasks = new Map()
  /** what was accepted once: by task, assignee and form of the comment */
  const acceptable = new Map<string, number>()

  const lineOf = (recorder: number): Line => {
    const known = lines.get(recorder)
    if (known) return known
    const line: Line = { at: 0, states: new Map(), open: [] } as never
    line.history = createHistory({ now: () => line.at, date: () => line.at })
    lines.set(recorder, line)
    return line
  }
  const stateOf = ({ states }: Line, id: string): State => {
    const known = states.get(id.toLowerCase()) ?? { mismatches: [], isAbsent: false, puts: [] }
    states.set(id.toLowerCase(), known)
    return known
  }

  /** Ends what had ended by then; a millisecond is what recorders round by. */
  const endUntil = (line: Line, time: number) => {
    for (const each of line.open.sort((a, b) => a.end - b.end)) {
      if (each.end > time + 1) break
      line.at = Math.max(line.at, each.end)
      each.done()
    }
    line.open = line.open.filter(({ end }) => end > time + 1)
  }

  const begin = (line: Line, seen: Seen) => {
    const { id, requestHeaders, sent, method, answer, body, start, end, number } = seen
    endUntil(line, start)
    line.at = Math.max(line.at, start)
    const isRead = method === 'GET'
    const ifMatch = isRead ? undefined : requestHeaders['if-match']
    const note = line.history.begin(
      isRead
        ? { kind: 'read', task: id }
        : { kind: 'update', task: id, body: sent, ifMatch, isPlain: true },
    )
    const op = line.history.begun.at(-1) as Op
    const done = () => {
      // An accepted answer without its body says that it was carried out, and not what came of it.
      note(answer, { number } as never)
      const isWhole = body !== undefined || !isAccepted(answer)
      const state = stateOf(line, id)
      if (isRead) seeRead(line, state, op, seen, isWhole)
      else seeUpdate(line, state, op, seen, isWhole)
      const { version, assignment } = op.shown ?? {}
      if (version !== undefined)
        Object.assign(state, {
          version,
          assigned: assignment?.assigned_to_id ?? null,
          exchange: number,
        })
    }
    line.open.push({ op, end, seen, done })
  }

  const seeRead = (
    line: Line,
    state: State,
    op: Op,
    { id, answer, number, start }: Seen,
    isWhole: boolean,
  ) => {
    // Read as absent before and after: no task has the id.
    const puts = answer.status === 404 ? state.puts : []
    for (const { answer: put, number: sent, sent: body } of puts)
      if (isAccepted(put) || (isRefused(put) && ![401, 403, 429].includes(put.status)))
        findings.judged(
          `assign.not-found.${isUnassign(body) ? 'unassign' : 'update'}`,
          problemsOfStatus(put, 404, { control: number }),
          sent,
        )
    state.puts = []
    state.isAbsent = answer.status === 404
    if (!isWhole || !op.shown) return
    const { version } = op.shown
    const first = sightings.get(keyOf(id, version))
    if (first?.isAnswer) {
      findings.decided(['assign.persisted'], number)
      if (!first.isReused) findings.decided(['assign.new-version'], number)
    }
    findings.broken(problemsOfRead(sightings, id, answer))
    findings.broken(problemsOfOtherFields(former, id, answer))
    for (const { owned } of problemsOfOp(line.history, op)) findings.broken([owned])
    const { refused } = state
    if (refused?.version === version)
      findings.decided(
        ['version.refused-changes-nothing', 'version.refused-changes-nothing.version'],
        number,
      )
    state.refused = undefined
    // The same version long before and long after: nobody had changed the task when the update was refused.
    for (const { op: mismatch, seen, read } of state.mismatches) {
      if (mismatch.ifMatch !== version || start < mismatch.ended + quietMs) continue
      const given = `${describeAnswer(seen.answer)} to the If-Match ${version}, which reads showed before and ${Math.round((start - mismatch.ended) / 1000)} s after`
      const facts = { expected: '2xx', got: '409', judged: seen.answer, control: [read, number] }
      findings.judged('version.current-accepted', [problem(given, facts)], seen.number)
    }
    state.mismatches = state.mismatches.filter(
      ({ op }) => start < op.ended + quietMs && op.ifMatch === version,
    )
  }

  const seeUpdate = (line: Line, state: State, op: Op, seen: Seen, isWhole: boolean) => {
    const { id, answer, number, sent } = seen
    const { ifMatch } = op
    const plain = isDescribed(sent, ifMatch) || (isUnassign(sent) && ifMatch !== undefined)
    const before = sightings.get(keyOf(id, ifMatch ?? ''))?.assignment
    const kind = isUnassign(sent) ? 'unassign' : 'update'
    if (isAccepted(answer)) {
      findings.observed('assign.success-status', answer.status, number)
      findings.observed('assign.content-type', mediaTypeOf(answer) ?? 'none', number)
    }
    if (seen.requestBody === undefined) return
    if (!isUuid(id)) {
      if (isAccepted(answer) && isWhole && isObject(jsonIn(answer)))
        findings.judged('assign.malformed-id', problemsOfStatus(answer, 404), number)
      else if (isRefused(answer)) findings.decided(['assign.malformed-id'], number)
      if (isAccepted(answer) || isRefused(answer))
        findings.judged('assign.malformed-id.status', problemsOfStatus(answer, 404), number)
      return
    }
    const form = formOf(sent)
    const place = `${id} ${toIn(sent)} ${form}`.toLowerCase()
    seeMistakes(state, op, seen, isWhole, acceptable.get(place))
    if (!plain) return
    if (answer.status === 404) findings.decided([`assign.not-found.${kind}`], number)
    if (state.isAbsent && op.shown === undefined) state.puts.push(seen)
    const transition = transitionOf(sent, before)
    if (isAccepted(answer)) {
      acceptable.set(place, number)
      acceptable.set(`${id} ${toIn(sent)}`.toLowerCase(), number)
      const usual = transition === undefined ? [] : [`assign.${transition}`]
      const stale = problemsOfOp(line.history, op).map(({ owned }) => owned)
      findings.broken(stale)
      const winners = problemsOfWinners(line, op, seen)
      findings.judgedUnlessEmpty('version.one-winner', winners, number)
      if (stale.length > 0 || !isWhole) return
      if (state.version === ifMatch) findings.decided(['version.current-accepted'], number)
      if (state.refused) findings.decided(['version.retry'], number)
      state.refused = undefined
      judgeAccepted(seen, op, usual, form, before)
      return
    }
    if (answer.status === 409) seeMismatch(line, state, op, seen, before)
    else if (isRefused(answer) && ![401, 403, 408, 413, 429, 431, 404].includes(answer.status)) {
      // The same people and the same form of comment were accepted on this task.
      const control = acceptable.get(place)
      const beside = acceptable.get(`${id} ${toIn(sent)}`.toLowerCase())
      const isStated = form !== undefined && toAccept.includes(form) && state.version === ifMatch
      if (control === undefined && beside !== undefined && isStated)
        findings.judged(
          `assign.comment.${form}`,
          problemsOfStatus(answer, '2xx', { control: beside }),
          number,
        )
      if (control === undefined) return
      const stale = staleIn(line, state, op)
      const isCurrent = transition !== undefined && state.version === ifMatch
      if (stale) findings.judged(stale, problemsOfStatus(answer, 409, { control }), number)
      else if (isCurrent)
        findings.judged(
          `assign.${transition}`,
          problemsOfStatus(answer, '2xx', { control }),
          number,
        )
    }
  }

  const judgeAccepted = (
    seen: Seen,
    op: Op,
    usual: string[],
    form: string | undefined,
    before: unknown,
  ) => {
    const { id, answer, number, sent } = seen
    const { ifMatch } = op
    const owned = isTold(sightings, { id, ifMatch, body: sent })
      ? problemsOfAnswer('task', id, answer)
      : []
    findings.broken(owned)
    findings.decided(['assign.answer-is-task', ...usual], number)
    const isKnown = former.has(keyOf(id, ifMatch ?? ''))
    const update = isObject(sent) && isObject(sent.update) ? sent.update : undefined
    const found = isObject(before) ? (before.assignment_comment as string | null) : undefined
    const shown = seenIn(answer)
    const problems = problemsOfUpdate(sightings, { id, ifMatch, body: sent, actorId }, answer)
    findings.broken(problems)
    if (isKnown) findings.judged('assign.only-the-assignment', [], number)
    findings.broken(problemsOfOtherFields(former, id, answer, ifMatch))
    if (!shown) return
    if (update) findings.decided(['assign.fields-as-given'], number)
    if (form) findings.decided([`assign.comment.${form}`], number)
    if (update && form === 'omitted' && found)
      findings.decided(['assign.comment.not-inherited'], number)
    const isSame = isObject(before) && isSameId(before.assigned_to_id, update?.assigned_to_id)
    if (before !== undefined && shown.version !== ifMatch)
      findings.decided([isSame ? 'assign.new-version.same-assignee' : 'assign.new-version'], number)
  }

  /** The clause on an If-Match that an accepted update has used; undefined: none has. */
  const staleIn = ({ history }: Line, { assigned }: State, op: Op): string | undefined => {
    const isUsed = (each: Op) => each !== op && isUsedBy(each, op) && each.done < op.begun
    if (!history.begunOf(op.task).some(isUsed)) return undefined
    return `version.stale.${isUnassign(op.body) ? 'unassign' : assigned === null ? 'assign' : 'reassign'}`
  }

  const seeMismatch = (line: Line, state: State, op: Op, seen: Seen, before: unknown) => {
    const { number } = seen
    const { ifMatch } = op
    const own = line.history.begunOf(op.task)
    const stale = staleIn(line, state, op)
    if (stale) findings.decided([stale], number)
    if (own.some((each) => each !== op && isUsedBy(each, op) && isBeside(each, op)))
      findings.decided(['version.one-winner'], number)
    if (state.version !== undefined) state.refused = { seen, version: state.version }
    const last = line.history
      .endedOf(op.task)
      .findLast((each) => each.shown && each.done < op.begun)
    if (
      last?.kind === 'read' &&
      last.shown?.version === ifMatch &&
      before !== undefined &&
      state.exchange !== undefined
    )
      state.mismatches.push({ op, seen, read: state.exchange })
  }

  /** Updates that are wrong in their If-Match or their body. */
  const seeMistakes = (
    state: State,
    op: Op,
    seen: Seen,
    isWhole: boolean,
    accepted: number | undefined,
  ) => {
    const { answer, number, sent, requestHeaders } = seen
    const { ifMatch, shown } = op
    if (!isAccepted(answer) && !isRefused(answer)) return
    const isDone =
      isAccepted(answer) &&
      isWhole &&
      shown !== undefined &&
      state.version !== undefined &&
      shown.version !== state.version &&
      isCarriedOut(sent, shown.assignment)
    const judge = (clause: string, expected: number | '4xx', isOnlyIfDone: boolean) => {
      if (
        [401, 403, 429].includes(answer.status) ||
        (isAccepted(answer) && isOnlyIfDone && !isDone)
      )
        return
      // Another refusal may be for another reason.
      if (expected === 409 && isRefused(answer) && answer.status !== 409 && accepted === undefined)
        return
      const control = accepted ?? state.exchange
      const problems =
        isOnlyIfDone && !isDone
          ? []
          : problemsOfStatus(answer, expected, {
              control,
              decides:
                ifMatch === undefined
                  ? undefined
                  : {
                      'If-Match': ifMatch,
                      ...(state.version ? { updated_at: state.version } : {}),
                    },
            })
      findings.judged(clause, problems, number)
    }
    const isValid = problemsOf('update-assignment', sent).length === 0
    if (isValid && ifMatch === undefined && 'content-type' in requestHeaders)
      judge(isUnassign(sent) ? 'version.required.unassign' : 'version.required', '4xx', true)
    if (isValid && ifMatch !== undefined && state.version !== undefined) {
      if (ifMatch === '*') judge('version.star', 409, false)
      else if (!/\d{4}-?\d\d/.test(ifMatch)) {
        judge('version.wrong.garbage', '4xx', true)
        judge('version.wrong.garbage.status', 409, false)
      }
      const [name] =
        madeVersions.find(([, make]) => make(state.version as string) === ifMatch) ?? []
      if (name && ifMatch !== state.version && !sightings.has(keyOf(seen.id, ifMatch)))
        judge(`version.wrong.${name}`, 409, false)
    }
    if (isValid || ifMatch === undefined || !isObject(sent)) return
    const wrong = problemsOf('update-assignment', sent).filter(({ path }) => path !== '')
    const [only] = wrong
    if (!only || wrong.length !== 1) return
    const name = only.path.replace(/^update\./, '').replace(/^unassign\./, 'unassign-')
    if (only.kind === 'missing' && required.includes(name)) {
      judge(`assign.required.${name}`, '4xx', true)
      judge(`assign.required.${name}.status`, '4xx', false)
    } else if (name === 'assigned_to_type') {
      const { update } = sent
      if (!isReadAsType(isObject(update) && update.assigned_to_type))
        judge('assign.type-values', '4xx', true)
      judge('assign.type-values.status', '4xx', false)
    }
  }

  /** Of updates at the same time with one version two were accepted. */
  const problemsOfWinners = (line: Line, op: Op, { answer }: Seen) =>
    line.history
      .endedOf(op.task)
      .filter(
        (each) =>
          each !== op &&
          isUsedBy(each, op) &&
          isBeside(each, op) &&
          each.shown?.version !== op.shown?.version,
      )
      .map((other) =>
        problem(
          `${describeAnswer(answer)} to the If-Match ${op.ifMatch}, and so was another update at the same time`,
          {
            expected: 'one accepted, the others 409',
            got: 'two accepted',
            judged: [answer, other.answer],
          },
        ),
      )

  return {
    see(seen: Seen) {
      if (seen.resource === 'task' && seen.key === 'given') begin(lineOf(seen.recorder), seen)
    },
    end() {
      for (const line of lines.values()) {
        endUntil(line, Number.POSITIVE_INFINITY)
        const { history } = line
        // What reads show long after the last update is what it left.
        const tasks = history.tasks.filter((task) => {
          const ended = history.endedOf(task)
          const last = ended.findLast(({ kind }) => kind === 'update')
          const read = ended.findLast(({ kind, shown }) => kind === 'read' && shown)
          return last && read && isAcceptedOp(last) && read.sent > last.ended + quietMs
        })
        const left = leftTasksOf({ ...history, tasks })
        for (const task of tasks)
          findings.decided(
            ['assign.persisted.version'],
            history.endedOf(task).at(-1)?.answer?.exchange ?? 0,
          )
        for (const undone of left.undone)
          if (undone.by === 'version')
            findings.broken([{ owner: 'assign.persisted.version', ...problemOfUndone(undone) }])
      }
    },
  }
}

const isUsedBy = (other: Op, { ifMatch, task }: Op) =>
  other.kind === 'update' &&
  isAcceptedOp(other) &&
  other.ifMatch === ifMatch &&
  isSameId(other.task, task) &&
  other.shown !== undefined &&
  other.shown.version !== ifMatch

const isBeside = (one: Op, other: Op) => one.begun < other.done && other.begun < one.done
