import fc from 'fast-check'
import { describeAnswer, isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import { Breach, NotDecidable, outcomeOf } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { randomFor } from '../../engine/random.ts'
import type { History } from '../history/history.ts'
import { isByOther } from '../history/questions.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Loan } from '../loans/lending.ts'
import { needAccepted, type Task } from '../service/answers.ts'
import { isAssignedTo } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { type CommentKind, chooseComments, type WalkedKinds } from './comment-kinds.ts'
import { createToken } from './controls.ts'
import {
  type After,
  type AmidOthers,
  goingOnAmidOthers,
  type Model,
  type ModelStep,
  named,
  notTaken,
  problemOfState,
  type Real,
} from './model-task.ts'

type Deps = {
  loan: Loan
  service: Service
  history: History
  actor: string
  /** whether comments were seen to be taken */
  commented: boolean
  /** of each update from one state to another */
  comments: ReturnType<typeof chooseComments>
  walked: WalkedKinds
  amidOthers: AmidOthers
}

const steps = 25
const minSteps = 20

/**
 * Walks a task at random through the table of transitions, and expects every read to agree with
 * it. The shortest walk that does not is looked for on the embedded service alone: elsewhere each
 * try costs somebody a mail.
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
        // Trouble ends the walk as trouble: it must not be shrunk, nor held against the service.
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
  // Walks are of any length, and a short one would tell little: the first long one is taken.
  const seeds = randomFor(settings.seed, 'version.model')
  let result = await check(seeds.number.int({ max: 0x7fffffff }))
  while (taken === 0) result = await check(seeds.number.int({ max: 0x7fffffff }))
  // What comes of looking for a shorter walk does not undo what was found.
  if (foul && !result.failed) throw foul
  if (!result.failed)
    return `${steps} steps at most, ${accepted} updates accepted${amidOthers.told()}`
  // What it says of replaying stands in the seed.
  const walk = String(result.counterexample?.[0] ?? '').replace(/ *\/\*.*\*\//, '')
  const found = result.errorInstance instanceof Breach ? result.errorInstance.breaches : []
  const [first = problem('', { expected: '', got: '', judged: undefined })] = found
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
  const { current, used } = loan

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
    // A version that no answer of ours gave is that of another writer, and no breach. But nobody else sends
    // the comment of an update that was refused.
    const isRefusedOne = !!after.token && real.task.assignment?.assignment_comment === after.token
    const isAnswered = real.task.updated_at === model.version || used.has(real.task.updated_at)
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
    // What a key may not do is refused for that.
    if (answer.status === 403) return
    if (answer.status !== 409)
      throw new Breach(
        problem(`${describeAnswer(answer)} to ${named(to)} with a stale If-Match, not 409`, {
          expected: '409',
          got: String(answer.status),
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
      if (used.has(sent)) model.old = sent
      model.first ??= model.old
      await expectState(real, model, { what: `after ${named(to)}`, answer })
      // Of a user's task and of a team's: a walk alone would come to each of them by chance.
      if (!to || model.old === undefined || model.tried.has(to.type)) return
      const other = people.find(({ id }) => !isSameId(id, to.id))
      for (const each of [null, ...(other ? [other] : [])]) await refuses(each, model, real)
      model.tried.add(to.type)
    },
    toString: () => named(to),
  })

  const stale = (to: Assignee): ModelStep => ({
    // Assigning to the same may be refused for that: what comes first then is not shown.
    check: (model) => model.old !== undefined && !isSameId(model.to?.id, to.id),
    // Not the last one but the first: a service may know the latest alone to be stale.
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
        // It could be read right until the update that was not to be carried out.
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
    fc.constant(update(null)),
    someone.map(stale),
    fc.constant(invalid()),
  ].map((step) => step.map(amidOthers.past))
}
