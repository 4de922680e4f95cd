import { distinct } from '../../engine/distinct.ts'
import { isAccepted, isRefused } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import type { Faker } from '../../engine/random.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Loan } from '../loans/lending.ts'
import { needPermitted, type Task, taskIn } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, updateBody } from '../service/update-request.ts'
import { BoundReached } from '../service/write-budget.ts'
import { createToken, needAnybody } from './controls.ts'

/** One update of a client that read before it wrote. */
export type HistoryEntry = {
  client: number
  /** unique */
  comment: string
  used: string
  outcome: 'accepted' | 'refused' | 'unknown'
  /** the version in its answer */
  produced?: string
  exchange?: number
}

/**
 * Contradictions in a history of concurrent updates: two accepted updates of one version, one version given
 * twice, or a final state that an accepted update had replaced. Each problem shows the smallest witness.
 * Unknown outcomes never count as violations.
 */
export function problemsOfHistory(history: readonly HistoryEntry[], last: Task): Problem[] {
  const accepted = history.filter(({ outcome }) => outcome === 'accepted')
  const named = ({ client, comment }: HistoryEntry) => `client ${client} (${comment})`
  const found: Problem[] = []
  for (const used of distinct(accepted.map((each) => each.used))) {
    const same = accepted.filter((each) => each.used === used)
    if (same.length > 1)
      found.push(
        problem(`${same.length} updates with the same If-Match, ${used}, were all accepted`, {
          expected: '409 to all but one',
          got: `2xx to ${same.length}`,
          judged: same,
        }),
      )
  }
  for (const [at, one] of accepted.entries())
    for (const other of accepted.slice(at + 1)) {
      if (one.produced !== undefined && one.produced === other.produced)
        found.push(
          problem(`${named(one)} and ${named(other)} both got the version ${one.produced}`, {
            expected: 'two versions',
            got: `${one.produced} twice`,
            judged: [one, other],
          }),
        )
    }
  for (const one of accepted)
    if (one.produced === one.used)
      found.push(
        problem(`${named(one)} was accepted, but the version is still ${one.used}`, {
          expected: 'a new updated_at',
          got: one.used,
          judged: one,
        }),
      )

  const shown = accepted.find(({ comment }) => comment === last.assignment?.assignment_comment)
  const successor = shown && accepted.find(({ used }) => used === shown.produced)
  if (shown && successor && shown !== successor)
    found.push(
      problem(
        `the task shows the assignment of ${named(shown)}, which ${named(successor)} had replaced`,
        {
          expected: successor.comment,
          got: shown.comment,
          judged: last,
          control: [shown, successor],
        },
      ),
    )
  return found
}

const attempts = 10

/**
 * Lets clients read and update one task concurrently, and records what each did. If MAX_WRITES cuts it
 * short, the history may still show a contradiction, but proves nothing else.
 */
export async function writeHistory(
  { task: { id }, current, used }: Loan,
  service: Service,
  people: Assignee[],
  plan: { actor: string; clients: number; updates: number; random: Faker },
): Promise<{ history: HistoryEntry[]; last: Task }> {
  const history: HistoryEntry[] = []
  let reached: BoundReached | undefined
  const name = createToken()
  const pauses = Array.from({ length: plan.clients * plan.updates * attempts }, () =>
    plan.random.number.int({ min: 1, max: 25 }),
  )

  /** who assigns in turn with the actor, until the service refuses that */
  let another = people.find(({ id, type }) => type === 'USER' && !isSameId(id, plan.actor))?.id
  const read = async () => {
    return taskIn(await service.readTask(id))
  }

  const update = async (client: number, at: number, first: Task) => {
    // No comment is the prefix of another: files and mails are searched for those of refused updates.
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const task = attempt === 0 ? first : await read()
      const comment = `${name} ${client}.${at}.${attempt}`
      const now = task.assignment?.assigned_to_id
      const to = people.find((each) => !isSameId(each.id, now)) ?? needAnybody(people)
      const operation: HistoryEntry = {
        client,
        comment,
        used: task.updated_at,
        outcome: 'refused',
      }
      try {
        const by = client % 2 === 0 && another ? another : plan.actor
        const answer = await service.put(id, task.updated_at, updateBody(by, to, comment))
        if (by === another && isRefused(answer) && answer.status !== 409) another = undefined
        operation.exchange = answer.exchange
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
      await new Promise<void>((resolve) => clock.setTimeout(resolve, pauses.pop() ?? 10))
    }
  }

  const record = (operation: HistoryEntry, answer: Answer) => {
    if (isAccepted(answer)) {
      operation.outcome = 'accepted'
      operation.produced = taskIn(answer).updated_at
      if (operation.produced !== operation.used) used.add(operation.used)
    } else if (answer.status >= 500) operation.outcome = 'unknown'
  }

  // All clients start each update together: then two may be accepted with one version.
  for (let at = 1; at <= plan.updates; at += 1) {
    const first = await read()
    await Promise.all(
      Array.from({ length: plan.clients }, (_, client) => update(client + 1, at, first)),
    )
  }
  const last = await current.read(id)
  if (reached && problemsOfHistory(history, last).length === 0) throw reached
  return { history, last }
}

/** Ends the clause if fewer than two updates were accepted: they could not share a version. */
export function whyTooFew(counts: string, exchanges: readonly Exchange[]): never {
  const updates = exchanges.flatMap(({ method, path, status = 0 }) =>
    method === 'PUT' ? { method, path, status } : [],
  )
  const statuses = updates.map(({ status }) => status)
  const all = (holds: (status: number) => boolean) => statuses.every(holds)
  const seen = `${counts}, with ${distinct(statuses).join(', ')}`
  if (all((status) => status === 0 || status >= 500)) throw new Trouble(seen)
  if (all((status) => status === 403)) updates.forEach(needPermitted)
  throw new NotDecidable('freedom', `${seen}; two accepted updates of one task are needed`)
}
