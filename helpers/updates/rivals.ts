import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../engine/http/client.ts'
import { Trouble } from '../../engine/outcome.ts'
import type { Faker } from '../../engine/random.ts'
import type { Loan } from '../loans/lending.ts'
import { isAccepted, type Task, taskAnswered, taskRead } from '../service/answers.ts'
import { type Assignee, type Service, updateBody } from '../service/service.ts'
import { BoundReached } from '../service/write-budget.ts'
import { contradictionsIn, type Operation } from './history.ts'
import { sameId } from './step.ts'

const attempts = 10

/**
 * Lets clients read and update one task side by side, and writes down what each of them did. Where
 * the run may make no more updates, what there is by then may show a contradiction, but clear nobody.
 */
export async function writeHistory(
  { task: { id }, steady, consumed }: Loan,
  service: Service,
  people: Assignee[],
  plan: { actor: string; clients: number; updates: number; random: Faker },
): Promise<{ history: Operation[]; last: Task }> {
  const history: Operation[] = []
  let reached: BoundReached | undefined
  const name = `Contract test, please ignore ${plan.random.string.alphanumeric(8)}`
  const pauses = Array.from({ length: plan.clients * plan.updates * attempts }, () =>
    plan.random.number.int({ min: 1, max: 25 }),
  )

  const read = async () => {
    return taskRead(await service.readTask(id))
  }

  const update = async (client: number, at: number) => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const task = await read()
      const comment = `${name} ${client}.${at}.${attempt}`
      const now = task.assignment?.assigned_to_id
      const to = people.find((each) => !sameId(each.id, now)) ?? people[0]
      if (!to) throw new Trouble('there is nobody to assign to')
      const operation: Operation = {
        client,
        comment,
        consumed: task.updated_at,
        outcome: 'refused',
      }
      try {
        const answer = await service.put(id, task.updated_at, updateBody(plan.actor, to, comment))
        record(operation, answer)
      } catch (error) {
        if (error instanceof BoundReached) {
          reached = error
          return
        }
        if (!(error instanceof Trouble)) throw error
        operation.outcome = 'unknown'
      }
      history.push(operation)
      if (operation.outcome === 'accepted') return
      await sleep(pauses.pop() ?? 10)
    }
  }

  const record = (operation: Operation, answer: Answer) => {
    if (isAccepted(answer)) {
      operation.outcome = 'accepted'
      operation.produced = taskAnswered(answer).updated_at
      if (operation.produced !== operation.consumed) consumed.add(operation.consumed)
    } else if (answer.status >= 500) operation.outcome = 'unknown'
  }

  const client = async (number: number) => {
    for (let at = 1; at <= plan.updates; at += 1) await update(number, at)
  }
  await Promise.all(Array.from({ length: plan.clients }, (_, at) => client(at + 1)))
  const last = await steady.settled(id)
  if (reached && contradictionsIn(history, last).length === 0) throw reached
  return { history, last }
}
