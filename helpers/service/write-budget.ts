import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { Trouble } from '../../engine/outcome.ts'

export type WriteBudget = ReturnType<typeof createWriteBudget>

export class BoundReached extends Trouble {}

type OnLoan = { task: { id: string }; giveBack(): Promise<void> }

type Sendings = PromiseSettledResult<Answer>[]
type Send = () => Promise<Sendings>

type Lent = {
  underWay: number
  changed: boolean
  returning?: 'begun' | 'sent'
}

/** Counts updates that may have been accepted too, and reserves room to put back each changed task on loan. */
export function createWriteBudget(bound: number) {
  const lent = new Map<string, Lent>()
  const waiting: (() => void)[] = []
  let made = 0
  let underWay = 0

  const fits = (task: Lent | undefined, count: number) => {
    const owed = [...lent.values()].filter((each) => isOwed(each) || each === task)
    return made + underWay + count + owed.length <= bound
  }
  const recheck = () => {
    for (const again of waiting.splice(0)) again()
  }

  const enter = async (task: Lent | undefined, count: number) => {
    while (!task?.returning && !fits(task, count)) {
      if (underWay === 0)
        throw new BoundReached(
          `MAX_WRITES=${bound} is reached, so no further update is sent; raise it`,
        )
      // An update in flight may still be rejected, which frees room.
      await new Promise<void>((again) => waiting.push(again))
    }
    underWay += count
    if (task) task.underWay += count
  }

  const leave = (task: Lent | undefined, count: number, sent: Sendings) => {
    const accepted = sent.filter(wasAccepted).length
    const unknown = sent.filter(mayHaveBeenAccepted).length
    underWay -= count
    made += accepted + unknown
    if (task) {
      task.underWay -= count
      if (task.returning) task.returning = 'sent'
      task.changed = task.returning ? accepted === 0 : task.changed || accepted + unknown > 0
    }
    recheck()
  }

  const spend = async (id: string, send: Send, count = 1) => {
    const task = lent.get(id)
    await enter(task, count)
    let sent: Sendings = []
    try {
      sent = await send()
      return sent
    } finally {
      leave(task, count, sent)
    }
  }

  const keepRoomFor = <L extends OnLoan>(loan: L): L => {
    const task: Lent = lent.get(loan.task.id) ?? { underWay: 0, changed: false }
    lent.set(loan.task.id, task)
    const { giveBack } = loan
    const giveBackFreely = async () => {
      task.returning = 'begun'
      await giveBack()
      if (task.returning === 'begun') task.changed = false
      task.returning = undefined
      recheck()
    }
    return Object.assign(loan, { giveBack: giveBackFreely })
  }

  return { spend, keepRoomFor }
}

export async function spendOne(
  budget: WriteBudget | undefined,
  task: string,
  send: () => Promise<Answer>,
): Promise<Answer> {
  if (!budget) return send()
  const [sent] = (await budget.spend(task, () => Promise.allSettled([send()]))) as [
    Sendings[number],
  ]
  if (sent.status === 'rejected') throw sent.reason
  return sent.value
}

const isOwed = ({ changed, underWay }: Lent) => changed || underWay > 0

const wasAccepted = (one: Sendings[number]) => one.status === 'fulfilled' && isAccepted(one.value)

/** After a 500, or without an answer, the change may have been made. */
const mayHaveBeenAccepted = (one: Sendings[number]) =>
  one.status === 'fulfilled' ? one.value.status >= 500 : one.reason instanceof FateUnknown
