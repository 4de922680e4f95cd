// What recorded updates show, and the reads around them.

import { addTo } from '../../engine/grouped.ts'
import { describeAnswer, isAccepted, isObject, isRefused } from '../../engine/http/answers.ts'
import { mediaTypeOf } from '../../engine/http/shapes.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { problem } from '../../engine/problem.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import {
  createHistory,
  createSights,
  type History,
  isAcceptedOp,
  isBeside,
  type Op,
} from '../history/history.ts'
import { problemsOfOp, problemsOfSight } from '../history/laws.ts'
import { leftTasksOf, problemsOfLeft } from '../history/left-changed.ts'
import type { Assignment } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import { problemsOfAnswer } from '../service/judge.ts'
import { problemsOf } from '../service/schema.ts'
import {
  isDescribed,
  isReadAsType,
  isTold,
  isUnassign,
  toIn,
  transitions,
} from '../service/update-request.ts'
import { nearVersions, wrongVersions } from '../service/wrong-versions.ts'
import type { Findings } from './findings.ts'
import { headOf, isPlainRefusal, type Seen } from './recorded.ts'
import { createEffectLaws, type Owners } from './refused-effects.ts'
import { comments, formOf, isCarriedOut, transitionOf } from './update-forms.ts'

const required = ['assigned_by_id', 'assigned_to_id', 'assigned_to_type', 'unassign-assigned_by_id']
const madeVersions = Object.entries({ ...wrongVersions, ...nearVersions })
const named = (prefix: string, names: string) => names.split(' ').map((name) => `${prefix}.${name}`)

export const clausesOfUpdates = [
  'auth.refused-changes-nothing',
  ...[...transitions, ...comments.map((name) => `comment.${name}`)].map((name) => `assign.${name}`),
  ...required.flatMap((name) => [`assign.required.${name}`, `assign.required.${name}.status`]),
  ...named(
    'assign',
    'answer-is-task persisted persisted.version new-version new-version.same-assignee fields-as-given only-the-assignment type-values type-values.status refused-keeps-version malformed-id malformed-id.status not-json not-found.update not-found.unassign content-type',
  ),
  ...named(
    'version',
    'stale.assign stale.reassign stale.unassign one-winner current-accepted retry refused-changes-nothing refused-changes-nothing.version required required.unassign star wrong.garbage wrong.garbage.status',
  ),
  ...madeVersions.map(([name]) => `version.wrong.${name}`),
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
  /** updates that were answered 409, by their If-Match */
  mismatches: Map<string | undefined, Op[]>
  /** the version at the last of them */
  refusedAt?: string | undefined
  /** the last read was answered 404, and what was sent since then */
  isAbsent: boolean
  puts: Seen[]
}

/** What a recorder's clock puts in order. */
type Line = {
  history: History
  at: number
  states: Map<string, State>
  open: { end: number; done: () => void }[]
}

type One = {
  line: Line
  state: State
  op: Op
  seen: Seen
  /** the recording holds the body of its answer */
  isWhole: boolean
}

export type Told = { actorId?: string | undefined }

/** Judges reads and updates of tasks, each recording in its own order. */
export function createUpdateLaws(findings: Findings, { actorId }: Told) {
  const lines = new Map<number, Line>()
  const sights = createSights()
  /** what was accepted once: by task, assignee and form of the comment */
  const acceptable = new Map<string, number>()
  const refused: (() => void)[] = []
  const effects = createEffectLaws(findings)

  const lineOf = (recorder: number): Line => {
    const known = lines.get(recorder)
    if (known) return known
    const now = () => line.at
    const history = createHistory({ now, date: now }, sights)
    const line: Line = { at: 0, states: new Map(), open: [], history }
    lines.set(recorder, line)
    return line
  }

  /** Ends what had ended by then; a millisecond is what recorders round by. */
  const endUntil = (line: Line, time: number) => {
    for (const { end, done } of line.open.sort((a, b) => a.end - b.end)) {
      if (end > time + 1) break
      line.at = Math.max(line.at, end)
      done()
    }
    line.open = line.open.filter(({ end }) => end > time + 1)
  }

  const begin = (line: Line, seen: Seen) => {
    const { id, requestHeaders, sent, method, answer, body, start, end, number } = seen
    endUntil(line, start)
    line.at = Math.max(line.at, start)
    const isRead = method === 'GET'
    const update = { body: sent, ifMatch: requestHeaders['if-match'], isPlain: true }
    const note = line.history.begin({
      kind: isRead ? 'read' : 'update',
      task: id,
      ...(isRead ? {} : update),
    })
    const op = line.history.begun.at(-1) as Op
    const done = () => {
      note(answer, { number } as never)
      const key = id.toLowerCase()
      const state = line.states.get(key) ?? { mismatches: new Map(), isAbsent: false, puts: [] }
      line.states.set(key, state)
      // An accepted answer without its body says that it was carried out, and not what came of it.
      const one = { line, state, op, seen, isWhole: body !== undefined || !isAccepted(answer) }
      if (isRead) seeRead(one)
      else seeUpdate(one)
      op.answer = headOf(answer)
      op.known = {}
      const { version, assignment } = op.shown ?? {}
      const assigned = assignment?.assigned_to_id ?? null
      if (version !== undefined) Object.assign(state, { version, assigned, exchange: number })
    }
    line.open.push({ end, done })
  }

  const seeRead = ({ line, state, op, seen, isWhole }: One) => {
    const { answer, number } = seen
    // Read as absent before and after: no task has the id.
    for (const put of answer.status === 404 ? state.puts : [])
      if (isAccepted(put.answer) || isPlainRefusal(put))
        findings.judged(
          `assign.not-found.${isUnassign(put.sent) ? 'unassign' : 'update'}`,
          problemsOfStatus(put.answer, 404, { control: number }),
          put.number,
        )
    state.puts = []
    state.isAbsent = answer.status === 404
    if (!isWhole || !op.shown) return
    const { version } = op.shown
    const first = op.known?.same
    const isAnswer = first?.first.kind === 'update'
    effects.read(seen, op.shown, first !== undefined)
    if (isAnswer) findings.decided(['assign.persisted'], number)
    if (isAnswer && !first.isReused) findings.decided(['assign.new-version'], number)
    findings.broken(problemsOfSight(line.history, op))
    findings.broken(problemsOfOp(line.history, op).map(({ owned }) => owned))
    const unchanged = 'version.refused-changes-nothing'
    if (state.refusedAt === version) findings.decided([unchanged, `${unchanged}.version`], number)
    state.refusedAt = undefined
    seeCurrent(state, op, version, quietMs)
  }

  /**
   * A version is never used again: one that is the task's now was so when an update was answered 409. One that
   * asks for what the task has already may be refused with any status.
   */
  const seeCurrent = (state: State, now: Op, version: string | undefined, afterMs: number) => {
    const decides = { updated_at: version ?? '' }
    const held = sights.of(now.task, version)?.assignment
    const changesNothing = ({ body }: Op) => {
      const [had, to] = [held?.assigned_to_id ?? null, toIn(body)]
      return held === undefined || (had === null ? to === null : isSameId(had, to))
    }
    const open = state.mismatches.get(version) ?? []
    state.mismatches.delete(version)
    for (const op of open)
      if (op.answer && op.done < now.begun && op.ended + afterMs <= now.sent) {
        if (changesNothing(op)) continue
        findings.judged(
          'version.current-accepted',
          problemsOfStatus(op.answer, '2xx', { control: now.answer, decides }),
          op.answer.exchange,
        )
      } else addTo(state.mismatches, version, op)
  }

  const seeUpdate = (one: One) => {
    const { line, state, op, seen, isWhole } = one
    const { id, answer, number, sent } = seen
    const { ifMatch } = op
    if (isAccepted(answer)) {
      findings.observed('assign.content-type', mediaTypeOf(answer) ?? 'none', number)
    }
    if (isAccepted(answer) && op.shown) effects.accepted(seen, op.shown)
    else if (!isRefused(answer)) effects.unknown(seen)
    else effects.refused(seen, ownersOfEffect(one))
    if (seen.requestBody === undefined) return
    if (!isUuid(id)) return seeMalformedId(one)
    const before = op.known?.used?.assignment
    const form = formOf(sent)
    const people = `${id} ${toIn(sent)}`.toLowerCase()
    const place = `${people} ${form}`
    seeMistakes(one, acceptable.get(place))
    if (!isDescribed(sent, ifMatch) && !(isUnassign(sent) && ifMatch !== undefined)) return
    const kind = isUnassign(sent) ? 'unassign' : 'update'
    if (answer.status === 404) findings.decided([`assign.not-found.${kind}`], number)
    if (state.isAbsent && op.shown === undefined) state.puts.push(seen)
    const transition = transitionOf(sent, before)
    const usual = transition && `assign.${transition}`
    const stale = staleIn(one)
    const isCurrent = state.version === ifMatch
    if (isAccepted(answer)) {
      acceptable.set(place, number)
      acceptable.set(people, number)
      const problems = problemsOfOp(line.history, op).map(({ owned }) => owned)
      findings.broken([...problems, ...problemsOfWinners(one)])
      seeCurrent(state, op, ifMatch, 0)
      if (problems.length > 0 || !isWhole) return
      if (isCurrent) findings.decided(['version.current-accepted'], number)
      if (state.refusedAt) findings.decided(['version.retry'], number)
      state.refusedAt = undefined
      findings.decided(['assign.answer-is-task', ...(usual ? [usual] : [])], number)
      judgeAccepted(one, form, before)
    } else if (answer.status === 409) {
      if (stale) findings.decided([stale], number)
      if (usedBy(one).some((each) => isBeside(each, op)))
        findings.decided(['version.one-winner'], number)
      state.refusedAt = state.version
      addTo(state.mismatches, ifMatch, op)
    } else if (
      isPlainRefusal(seen) &&
      answer.status !== 404 &&
      !isSameId(before?.assigned_to_id, toIn(sent))
    ) {
      // To the same assignee an update may be refused.
      const isStated = isCurrent && form !== undefined && toAccept.includes(form)
      // Beside the same people and the same form of comment on this task, or the same people.
      refused.push(() => {
        const [control, likely] = [acceptable.get(place), acceptable.get(people)]
        const [clause, beside] =
          control !== undefined
            ? [stale ?? (isCurrent && usual), control]
            : [isStated && `assign.comment.${form}`, likely]
        const expected = clause === stale ? 409 : '2xx'
        if (clause && beside !== undefined)
          findings.judged(clause, problemsOfStatus(answer, expected, { control: beside }), number)
      })
    }
  }

  const seeMalformedId = ({ op, seen, isWhole }: One) => {
    const { answer, number, sent } = seen
    if (!isAccepted(answer) && !isPlainRefusal(seen)) return
    const problems = problemsOfStatus(answer, 404)
    if (isRefused(answer)) findings.decided(['assign.malformed-id'], number)
    else if (isWhole && op.shown && isCarriedOut(sent, op.shown.assignment))
      findings.judged('assign.malformed-id', problems, number)
    findings.judged('assign.malformed-id.status', problems, number)
  }

  const judgeAccepted = (
    { line, op, seen: { id, answer, number, sent } }: One,
    form: string | undefined,
    before: Assignment | null | undefined,
  ) => {
    const { ifMatch, shown, known } = op
    if (isTold(sent, ifMatch, before)) findings.broken(problemsOfAnswer('task', id, answer))
    findings.broken(problemsOfSight(line.history, op, actorId))
    if (known?.used?.kept) findings.decided(['assign.only-the-assignment'], number)
    if (!shown) return
    const update = isObject(sent) && isObject(sent.update) ? sent.update : undefined
    if (update) findings.decided(['assign.fields-as-given'], number)
    if (form) findings.decided([`assign.comment.${form}`], number)
    if (form === 'omitted' && before?.assignment_comment)
      findings.decided(['assign.comment.not-inherited'], number)
    const isSame = before && isSameId(before.assigned_to_id, update?.assigned_to_id)
    if (before !== undefined && shown.version !== ifMatch)
      findings.decided([`assign.new-version${isSame ? '.same-assignee' : ''}`], number)
  }

  /** The clause on an If-Match that an accepted update has used; undefined: none has. */
  const staleIn = (one: One): string | undefined => {
    const { state, op } = one
    if (!usedBy(one).some((each) => each.done < op.begun)) return undefined
    return `version.stale.${isUnassign(op.body) ? 'unassign' : state.assigned === null ? 'assign' : 'reassign'}`
  }

  const seeMistakes = ({ state, op, seen, isWhole }: One, accepted: number | undefined) => {
    const { answer, number, sent, requestHeaders } = seen
    const { ifMatch, shown } = op
    if (!isAccepted(answer) && !isPlainRefusal(seen)) return
    const isDone =
      isAccepted(answer) &&
      isWhole &&
      shown !== undefined &&
      state.version !== undefined &&
      shown.version !== state.version &&
      isCarriedOut(sent, shown.assignment)
    const shownVersion: Record<string, string> = state.version ? { updated_at: state.version } : {}
    const decides = ifMatch === undefined ? undefined : { 'If-Match': ifMatch, ...shownVersion }
    const judge = (clause: string, expected: number | '4xx', isOnlyIfDone = false) => {
      if (isAccepted(answer) && isOnlyIfDone && !isDone) return
      // Another refusal may be for another reason.
      if (expected === 409 && isRefused(answer) && answer.status !== 409 && !accepted) return
      const facts = { control: accepted ?? state.exchange, decides }
      findings.judged(
        clause,
        isOnlyIfDone && !isDone ? [] : problemsOfStatus(answer, expected, facts),
        number,
      )
    }
    const wrong = problemsOf('update-assignment', sent)
    if (wrong.length === 0 && ifMatch === undefined && 'content-type' in requestHeaders)
      judge(clauseOfNoVersion(sent), '4xx', true)
    if (wrong.length === 0 && ifMatch !== undefined && state.version !== undefined) {
      if (ifMatch === '*') judge('version.star', 409)
      else if (!/\d{4}-?\d\d/.test(ifMatch)) {
        judge('version.wrong.garbage', '4xx', true)
        judge('version.wrong.garbage.status', 409)
      }
      const [name] =
        madeVersions.find(([, make]) => make(state.version as string) === ifMatch) ?? []
      if (name && ifMatch !== state.version && !sights.of(seen.id, ifMatch))
        judge(`version.wrong.${name}`, 409)
    }
    // A body that the recorder cut is not JSON either.
    const isText =
      sent === seen.requestBody &&
      requestHeaders['content-length'] === `${Buffer.byteLength(`${sent}`)}`
    if (isText && ifMatch !== undefined) judge('assign.not-json', '4xx')
    const clause = ifMatch === undefined ? undefined : clauseOfMistake(sent)
    if (!clause || !isObject(sent)) return
    const { update } = sent
    const isValue = clause === 'assign.type-values'
    const isRead = isValue && isReadAsType(isObject(update) && update.assigned_to_type)
    if (!isRead) judge(clause, '4xx', true)
    judge(`${clause}.status`, '4xx')
  }

  /** What a refusal breaks if it changes the task: one that the same update sent twice would get twice. */
  const ownersOfEffect = ({ op, seen }: One): Owners => {
    const { answer, sent } = seen
    const { ifMatch } = op
    const unchanged = 'version.refused-changes-nothing'
    const assigned = op.known?.used?.assignment
    if (answer.status === 409) return { carriedOut: unchanged, touched: `${unchanged}.version` }
    if (problemsOf('update-assignment', sent).length > 0)
      return { carriedOut: clauseOfMistake(sent), touched: 'assign.refused-keeps-version' }
    if (ifMatch === undefined) return { carriedOut: clauseOfNoVersion(sent) }
    const isSame = assigned && isSameId(assigned.assigned_to_id, toIn(sent))
    return isSame ? { carriedOut: 'assign.new-version.same-assignee' } : {}
  }

  /** Of updates at the same time with one version two were accepted. */
  const problemsOfWinners = (one: One) => {
    const { op, seen } = one
    const isWinner = (each: Op) =>
      isBeside(each, op) && each.answer && each.shown?.version !== op.shown?.version
    const others = usedBy(one).filter(isWinner)
    return others.map((other) => ({
      owner: 'version.one-winner',
      ...problem(
        `${describeAnswer(seen.answer)} to the If-Match ${op.ifMatch}, and so was another update at the same time`,
        {
          expected: 'one accepted, the others 409',
          got: 'two accepted',
          judged: [seen.answer, other.answer],
        },
      ),
    }))
  }

  return {
    see(seen: Seen) {
      if (seen.resource !== 'task') return
      if (seen.key === 'given') begin(lineOf(seen.recorder), seen)
      else if (seen.method === 'PUT' && seen.status === 401)
        effects.refused(seen, { carriedOut: 'auth.refused-changes-nothing' })
    },
    /** What was answered by another than the service, or not at all, may have been carried out. */
    miss(seen: Seen) {
      if (seen.resource === 'task' && seen.method === 'PUT') effects.unknown(seen)
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
        const owner = 'assign.persisted.version'
        for (const task of tasks)
          findings.decided([owner], history.endedOf(task).at(-1)?.answer?.exchange ?? 0)
        const undone = leftTasksOf({ ...history, tasks }).seen.flatMap(problemsOfLeft('version'))
        findings.broken(undone.map((each) => ({ owner, ...each })))
      }
      for (const judge of refused) judge()
      effects.end()
    },
  }
}

/** The clause on what is wrong with a body; undefined: it is right, or more is wrong, or something else. */
function clauseOfMistake(sent: unknown): string | undefined {
  const [only, more] = problemsOf('update-assignment', sent).filter(({ path }) => path !== '')
  if (!only || more) return undefined
  const name = only.path.replace(/^update\./, '').replace(/^unassign\./, 'unassign-')
  if (only.kind === 'missing' && required.includes(name)) return `assign.required.${name}`
  return name === 'assigned_to_type' ? 'assign.type-values' : undefined
}

const clauseOfNoVersion = (sent: unknown) =>
  isUnassign(sent) ? 'version.required.unassign' : 'version.required'

/** Other accepted updates that have used its If-Match. */
const usedBy = ({ line, op }: One) =>
  line.history
    .using(op.task, op.ifMatch)
    .filter(
      (each) =>
        each !== op && isAcceptedOp(each) && each.shown && each.shown.version !== op.ifMatch,
    )
