import fc from 'fast-check'
import { describeAnswer, isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { Breach, NotDecidable, outcomeOf } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { randomFor } from '../../engine/random.ts'
import type { History } from '../history/history.ts'
import { isByOther } from '../history/questions.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Loan } from '../loans/lending.ts'
import { again } from '../service/again.ts'
import { needAccepted, type Task } from '../service/answers.ts'
import { describeAssignee, isAssignedTo } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { type CommentKind, chooseComments, type WalkedKinds } from './comment-kinds.ts'
import { createToken } from './controls.ts'

type Deps = {
  loan: Loan
  service: Service
  history: History
  actor: string
  /** whether comments are known to be accepted */
  commented: boolean
  /** the comments of updates from one state to another */
  comments: ReturnType<typeof chooseComments>
  walked: WalkedKinds
  amidOthers: AmidOthers
}

const steps = 20
const minSteps = 16

/**
 * Walks a task at random through the table of transitions, and expects every read to agree. Only the
 * embedded service gets shorter failing walks: elsewhere each try may cost a mail.
 */
export async function walkTheModel(
  loan: Loan,
  service: Service,
  people: Assignee[],
  {
    actor,
    settings,
    kinds,
    walked,
    history,
  }: {
    actor: string
    settings: Settings
    kinds: CommentKind[]
    walked: WalkedKinds
    history: History
  },
): Promise<string> {
  const comments = chooseComments(kinds, loan.task.updated_at)
  const commented = kinds.includes('plain')
  const amidOthers = goingOnAmidOthers((assignment) => isByOther(history, assignment))
  const deps: Deps = { loan, service, history, actor, commented, comments, walked, amidOthers }
  let accepted = 0
  let taken = 0
  let foul: unknown
  const property = fc.asyncProperty(
    fc.commands(
      commandsOn(deps, people, () => (accepted += 1)),
      { maxCommands: steps, size: 'max' },
    ),
    async (commands) => {
      const isFirst = taken === 0
      if (isFirst && [...commands].length < minSteps) return
      taken += 1
      try {
        await fc.asyncModelRun(async () => {
          const task = await start(deps, isFirst)
          const model: Model = { to: null, version: task.updated_at, tried: new Set() }
          return { model, real: { task } as Real }
        }, commands)
      } catch (error) {
        // Trouble ends the walk as trouble: do not shrink it, and do not blame the service.
        if (outcomeOf(error).kind !== 'broken') {
          foul = error
          return
        }
        throw error
      }
    },
  )
  const check = (seed: number) =>
    fc.check(property, {
      seed,
      numRuns: 1,
      endOnFailure: !settings.embedded,
      maxSkipsPerRun: 0,
    })
  // Walks have any length, and a short one shows little: use the first long one.
  const seeds = randomFor(settings.seed, 'version.model')
  let result = await check(seeds.number.int({ max: 0x7fffffff }))
  while (taken === 0) result = await check(seeds.number.int({ max: 0x7fffffff }))
  // Trouble while shrinking does not undo the failure.
  if (foul && !result.failed) throw foul
  if (!result.failed)
    return `${steps} steps at most, ${accepted} updates accepted${amidOthers.told()}`
  // The seed replays the walk.
  const walk = String(result.counterexample?.[0] ?? '').replace(/ *\/\*.*\*\//, '')
  const found = result.errorInstance instanceof Breach ? result.errorInstance.breaches : []
  const [first] = found
  if (!first) throw result.errorInstance
  throw new Breach({ ...first, sentence: `${first.sentence}\nthe walk: ${walk}` })
}

/** Every walk begins with the task unassigned. */
async function start(
  { loan, actor }: Pick<Deps, 'loan' | 'actor'>,
  isFirst: boolean,
): Promise<Task> {
  const task = isFirst ? loan.task : await loan.current.read(loan.task.id)
  if (task.assignment === null) return task
  needAccepted(await loan.current.put(task, unassignBody(actor)))
  return loan.current.read(task.id)
}

function commandsOn(
  deps: Deps,
  people: Assignee[],
  accepted: () => void,
): fc.Arbitrary<ModelStep>[] {
  const { loan, service, history, actor, commented, comments, walked, amidOthers } = deps
  const { current } = loan

  const expectState = async (real: Real, model: Model, after: After) => {
    let wrong: Problem | undefined
    await current.readUntil(loan.task.id, (task) => {
      real.task = task
      wrong = isAssignedTo(task.assignment, model.to)
        ? undefined
        : problemOfState(after, task, model)
      return wrong === undefined
    })
    if (!wrong) return
    // A version that no answer gave belongs to another writer and is not a breach. But no other
    // writer sends the comment of a refused update.
    const isRefusedOne = !!after.token && real.task.assignment?.assignment_comment === after.token
    const isAnswered =
      real.task.updated_at === model.version || current.isReplaced(real.task.updated_at)
    const foreign = !isAnswered && !isRefusedOne
    if (foreign && model.version !== undefined)
      throw new ForeignChange(history, real.task.assignment)
    throw new Breach(wrong)
  }

  const refuses = async (
    to: Assignee | null,
    model: Model,
    real: Real,
    version: string | undefined = model.old,
  ) => {
    const token = to && commented ? createToken() : undefined
    const body = to ? updateBody(actor, to, token) : unassignBody(actor)
    const answer = await service.put(loan.task.id, version, body)
    // 403 may mean a missing permission.
    if (answer.status === 403) return
    if (answer.status !== 409)
      throw new Breach(
        problem(`${describeAnswer(answer)} to ${named(to)} with a stale If-Match, not 409`, {
          expected: '409',
          judged: answer,
        }),
      )
    real.asked = to
    await expectState(real, model, { what: 'after a stale update', answer, token })
    real.asked = undefined
  }

  const update = (to: Assignee | null): ModelStep => ({
    check: (model) => (to === null ? model.to !== null : !isSameId(model.to?.id, to.id)),
    run: async (model, real) => {
      const bodyWith = (comment?: string | null) =>
        to ? updateBody(actor, to, comment) : unassignBody(actor, comment)
      const sent = real.task.updated_at
      const comment = comments.next(model.to, to)
      const { kind } = comment
      let answer = await current.put(real.task, bodyWith(comment.text))
      if (isAccepted(answer)) walked.taken.add(kind)
      else if (comment.text) {
        // A service may limit comments: without one the same update has to be accepted.
        if (answer.status >= 500) walked.failed.push({ kind, problem: notTaken(answer, to) })
        answer = await current.put(real.task, bodyWith())
        if (isAccepted(answer)) comments.leaveOut(to, comment)
      }
      if (answer.status === 403) needAccepted(answer)
      if (!isAccepted(answer)) throw new Breach(notTaken(answer, to))
      accepted()
      model.to = to
      const body = jsonIn(answer)
      model.version = isObject(body) ? String(body.updated_at) : undefined
      if (current.isReplaced(sent)) model.old = sent
      model.first ??= model.old
      await expectState(real, model, { what: `after ${named(to)}`, answer })
      // For a user's and for a team's task: a walk would reach each only by chance.
      if (!to || model.old === undefined || model.tried.has(to.type)) return
      const other = people.find(({ id }) => !isSameId(id, to.id))
      for (const each of [null, ...(other ? [other] : [])]) await refuses(each, model, real)
      model.tried.add(to.type)
    },
    toString: () => named(to),
  })

  const stale = (to: Assignee): ModelStep => ({
    // Assigning the current assignee may be refused, in an order of checks that is not shown.
    check: (model) => model.old !== undefined && !isSameId(model.to?.id, to.id),
    // Not the last version but the first: a service may know only the latest as stale.
    run: (model, real) => refuses(to, model, real, model.first),
    toString: () => 'stale',
  })

  const invalid = (): ModelStep => ({
    check: () => true,
    run: async (model, real) => {
      const body = { update: { assigned_by_id: actor } }
      const answer = await service.put(loan.task.id, real.task.updated_at, body)
      try {
        await expectState(real, model, { what: 'after an invalid update', answer })
      } catch (error) {
        // Reads were well-formed until this update, so it had an effect.
        if (!isAccepted(answer) || !(error instanceof NotDecidable)) throw error
        throw new Breach(
          problem(`${describeAnswer(answer)} to an invalid update, and after it ${error.message}`, {
            expected: 'a read as before',
            got: error.message,
            judged: answer,
          }),
        )
      }
    },
    toString: () => 'invalid',
  })

  const someone = fc.constantFrom(...people)
  return [
    someone.map(update),
    someone.map(update),
    someone.map(update),
    fc.constant(update(null)),
    someone.map(stale),
    fc.constant(invalid()),
  ].map((step) => step.map(amidOthers.past))
}

type Model = {
  to: Assignee | null
  /** the version before the current one */
  old?: string
  /** the first current version */
  first?: string
  /** the version in the last accepted answer, or that another writer left */
  version?: string
  /** the assignee types whose task got all kinds of stale updates */
  tried: Set<Assignee['type']>
}

type Real = {
  task: Task
  /** what the currently judged refused update asked for */
  asked?: Assignee | null | undefined
}

type ModelStep = fc.AsyncCommand<Model, Real>

/** Steps that survive other writers, and the number of those. */
type AmidOthers = { past(step: ModelStep): ModelStep; told(): string }

/** Other writers may change the task during a long walk. */
const maxMeetings = 6

/**
 * Continues from what another writer left, and repeats the step if that is possible. A change that other
 * writers are not known to write, or that a refused update asked for, may be the service's.
 */
function goingOnAmidOthers(isOthers: (assignment: Task['assignment']) => boolean): AmidOthers {
  let met = 0
  const mayGoOn = ({ task: { assignment }, asked }: Real) =>
    met < maxMeetings &&
    isOthers(assignment) &&
    (asked === undefined || !isAssignedTo(assignment, asked))
  const past = (step: ModelStep): ModelStep => ({
    check: (model) => step.check(model),
    run: async (model, real) => {
      while (step.check(model)) {
        try {
          return await step.run(model, real)
        } catch (error) {
          if (!(error instanceof ForeignChange) || !mayGoOn(real)) throw error
        }
        met += 1
        real.asked = undefined
        model.to = assigneeIn(real.task)
        model.version = real.task.updated_at
      }
    },
    toString: () => step.toString(),
  })
  return { past, told: () => (met > 0 ? `; changes of others on the way: ${met}` : '') }
}

const assigneeIn = ({ assignment }: Task): Assignee | null =>
  assignment && { id: assignment.assigned_to_id, type: assignment.assigned_to_type }

type After = { what: string; answer: Answer; token?: string | undefined }

function problemOfState({ what, answer }: After, task: Task, { to }: Model): Problem {
  const got = describeAssignee(task.assignment)
  const expected = to ? `${to.type} ${to.id}` : 'null'
  const sentence = `${what}: the task is assigned to ${got}, not to ${expected}`
  return problem(sentence, {
    expected,
    got,
    judged: [answer, task],
    again: again.assigned(to, 'read'),
  })
}

const named = (to: Assignee | null) =>
  to ? `assign to ${to.type} ${to.id.slice(0, 8)}` : 'unassign'

const notTaken = (answer: Answer, to: Assignee | null): Problem =>
  problem(`${describeAnswer(answer)} to ${named(to)}, not 2xx`, {
    expected: '2xx',
    judged: answer,
  })
