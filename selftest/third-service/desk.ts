import { setTimeout as sleep } from 'node:timers/promises'
import type { Archive } from './archive.ts'
import type { Directory } from './directory.ts'
import { eventOf } from './events.ts'
import type { Hooks } from './hooks.ts'
import type { Journal } from './journal.ts'
import {
  type AuditEvent,
  type Call,
  type Change,
  Fault,
  type Letter,
  type Order,
  type Task,
} from './model.ts'
import { readOrder } from './orders.ts'
import type { Postroom } from './postroom.ts'

/** Shows tasks and changes who they are assigned to. */
export class Desk {
  readonly #journal: Journal
  readonly #archive: Archive
  readonly #postroom: Postroom
  readonly #directory: Directory
  readonly #hooks: Hooks

  constructor(
    parts: { journal: Journal; archive: Archive; postroom: Postroom; directory: Directory },
    hooks: Hooks,
  ) {
    this.#journal = parts.journal
    this.#archive = parts.archive
    this.#postroom = parts.postroom
    this.#directory = parts.directory
    this.#hooks = hooks
  }

  read(call: Call): Task {
    const lag = this.#hooks.run('lag', 0, { call })
    const until = lag > 0 ? Date.now() - lag : Number.POSITIVE_INFINITY
    return this.#hooks.run('shown', this.#find(call.id, until), { call })
  }

  async carryOut(call: Call): Promise<Task> {
    const type = (call.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
    const text = await call.text()
    // From here to the write nothing is awaited: the check and the change are one step.
    const before = this.#find(call.id)
    if (type !== 'application/json')
      throw new Fault(415, 'BODY_TYPE', 'the body is to be application/json')
    const order = this.#hooks.run('order', readOrder(text, this.#directory), { before })
    this.#checkVersion(call, before, order)
    if (!order.target && !before.assignment)
      throw new Fault(422, 'NOTHING_TO_TAKE_OFF', 'the task is assigned to nobody')
    if (this.#hooks.run('idle', false, { before, order }))
      return this.#hooks.run('shown', before, { call })
    const pause = this.#hooks.run('pause', 0, { order })
    if (pause > 0) await sleep(pause)
    return this.#hooks.run('shown', this.#write(before, order), { call })
  }

  #find(id: string, until?: number): Task {
    const task = this.#journal.task(id, until)
    if (!task) throw new Fault(404, 'TASK_NOT_FOUND', 'no task has this id')
    return task
  }

  #checkVersion(call: Call, before: Task, order: Order): void {
    const given = call.header('if-match')
    if (given === undefined)
      throw new Fault(428, 'VERSION_NEEDED', 'If-Match is to hold the updated_at of the task')
    const same = given === before.updated_at
    if (this.#hooks.run('versionMatches', same, { given, before, order })) return
    this.#settle(before, order, 'refused', this.#journal.nextMoment(), [], [], [])
    throw new Fault(409, 'VERSION_MISMATCH', 'the task has changed; read it again')
  }

  #write(before: Task, order: Order): Task {
    const moment = this.#journal.nextMoment()
    const { by, target, comment } = order
    const change: Change = {
      what: 'assigned',
      taskId: before.id,
      at: moment,
      stamp: this.#hooks.run('stamp', moment, { before, order }),
      assignment: target && {
        assigned_by_id: by,
        assigned_to_id: target.id,
        assigned_to_type: target.type,
        assignment_comment: comment,
      },
    }
    const events = [eventOf(before, order, moment)]
    const letters = target ? this.#lettersTo(before, order, target) : []
    this.#settle(before, order, 'done', moment, [change], events, letters)
    const answer = this.#journal.apply(before, change) ?? before
    return this.#hooks.run('answer', answer, { before, order })
  }

  /** Stores what came of an order: the changes, the events and the letters. */
  #settle(
    before: Task,
    order: Order,
    outcome: 'done' | 'refused',
    moment: number,
    changes: Change[],
    events: AuditEvent[],
    letters: Letter[],
  ): void {
    const siblings = this.#journal.tasks().filter((task) => task.id !== before.id)
    const at = { before, order, outcome, moment, siblings }
    for (const change of this.#hooks.run('changes', changes, at)) this.#journal.append(change)
    const draft = () => eventOf(before, order, moment)
    for (const event of this.#hooks.run('record', events, { before, order, outcome, draft }))
      this.#archive.record(event)
    const write = (target: NonNullable<Order['target']>) => this.#lettersTo(before, order, target)
    for (const letter of this.#hooks.run('letters', letters, { before, order, write }))
      this.#postroom.send(letter)
  }

  #lettersTo(task: Task, order: Order, target: NonNullable<Order['target']>): Letter[] {
    const lines = [`The task "${task.c_name}" is now yours.`, `Task: ${task.id}`]
    if (order.comment !== null) lines.push('', order.comment)
    return this.#directory.mailsOf(target).map((mail) => ({
      to: [mail],
      subject: `Task for you: ${task.c_name}`,
      text: lines.join('\n'),
    }))
  }
}
