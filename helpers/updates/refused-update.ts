import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import type { Lending } from '../loans/lending.ts'
import { type Assignment, isAccepted, premise, type Task, told } from '../service/answers.ts'
import {
  type Assignee,
  type How,
  type Service,
  unassignBody,
  updateBody,
} from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import { commentAt } from './controls.ts'
import { equalAssignments, sameId } from './step.ts'

/** An update that the service should not carry out: what it answered, and what became of the task. */
export type Attempt = {
  answer: Answer
  before: Assignment | null
  after: Assignment | null
  carriedOut?: string
}

export type Faulty = {
  /** what is wrong with it, as the end of "an update …" */
  what: string
  /** the task that it needs; `any` is for what is meant to be refused, and so changes nothing */
  on: 'any' | 'assigned' | 'unassigned'
  /** from a valid body with a comment that nobody else writes */
  body(
    valid: ReturnType<typeof updateBody>['update'],
    comment: string,
    before: Assignment | null,
  ): unknown
  how?: How
  /** left out: the current version; undefined in the result: no If-Match */
  version?: (current: string) => string | undefined
}

/**
 * Sends updates that are not to be carried out, and watches the task for the time to settle: the
 * state is what counts (rule R1), and it must not be taken for somebody else's change.
 */
export async function attempt(
  faulty: Faulty,
  room: { lending: Lending; service: Service; settings: Settings; people: Assignee[] },
): Promise<Attempt> {
  const { lending, service, people } = room
  const { actorId = '' } = room.settings
  const assigned = faulty.on === 'assigned'
  const [anybody] = people
  if (!anybody) throw new NotDecidable('set USER_IDS: users whom the service takes')
  const loan = await lending.borrow(wanted[faulty.on], service)
  try {
    const notNow = ({ assignment }: Task) =>
      people.find(({ id }) => !sameId(id, assignment?.assigned_to_id))
    let task = loan.task
    const first = notNow(task)
    if (assigned && task.assignment === null && first)
      task = premise(await loan.steady.putCurrent(task, updateBody(actorId, first)))
    // It may be assigned to the only one there is.
    const unfit = faulty.on === 'unassigned' || (faulty.on === 'any' && !first)
    if (unfit && task.assignment !== null)
      task = premise(await loan.steady.putCurrent(task, unassignBody(actorId)))
    const to = notNow(task) ?? anybody

    const comment = commentAt(task.updated_at)
    const body = faulty.body(updateBody(actorId, to, comment).update, comment, task.assignment)
    const send = (current: string) => {
      const version = faulty.version ? faulty.version(current) : current
      premise(!faulty.version || version !== current, `${current} cannot be changed in this way`)
      return service.put(task.id, version, body, faulty.how)
    }
    const answer = await current(loan.steady.settled, task, send, loan.consumed)
    const before = task.assignment
    let carriedOut: string | undefined
    let after = before
    const look = ({ assignment, updated_at }: Task) => {
      if (updated_at !== task.updated_at && isAccepted(answer)) loan.consumed.add(task.updated_at)
      if (loan.consumed.has(updated_at) && updated_at !== task.updated_at) return
      after = assignment
      if (equalAssignments(assignment, before)) return
      const isMute = !assignment?.assignment_comment
      const ours =
        assignment === null
          ? faulty.on === 'assigned'
          : assignment.assignment_comment === comment ||
            (isMute && sameId(assignment.assigned_to_id, to.id) && before === null)
      if (!ours && !isAccepted(answer))
        throw new Trouble('somebody else changed the task meanwhile')
      carriedOut = `${told(answer)} to an update ${faulty.what}, and it was carried out`
    }
    try {
      await loan.steady.watch(task.id, look)
    } catch (error) {
      // It could be read right until the update that was not to be carried out.
      if (!(error instanceof NotDecidable)) throw error
      carriedOut = `${told(answer)} to an update ${faulty.what}, and after it ${error.message}`
    }
    return { answer, before, after, carriedOut }
  } finally {
    await loan.giveBack()
  }
}

const wanted = { any: 'whichever', assigned: 'USER', unassigned: 'unassigned' } as const

/** Sends with the version as it is; a 409 over a version that has moved meanwhile says nothing. */
async function current(
  settled: (id: string) => Promise<Task>,
  task: Task,
  send: (version: string) => Promise<Answer>,
  consumed: Set<string>,
): Promise<Answer> {
  let version = task.updated_at
  for (let round = 1; ; round += 1) {
    const answer = await send(version)
    if (answer.status !== 409 || round === 3) return answer
    const now = await settled(task.id)
    if (now.updated_at === version || consumed.has(now.updated_at)) return answer
    version = now.updated_at
  }
}
