// Whether events show of the changes of every task what they show of those of one.

import { distinct } from '../../engine/distinct.ts'
import {
  dateIn,
  instantAt,
  instantOf,
  millisecond,
  minute,
  type Order,
} from '../../engine/files/dates.ts'
import { cutTo } from '../../engine/files/shown-instants.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { poll } from '../../engine/time/polling.ts'
import { changesOf, type Ledger } from '../history/accepted-updates.ts'
import { isSameId } from '../service/ids.ts'
import { type Asked, openCount, type Recorded, slackMs } from './all-recorded.ts'

/** What a cell of an event may tell about the change that the event is of. */
type Trait = { what: string; isIn: (cell: string) => boolean }

const orders: Order[] = ['ymd', 'dmy', 'mdy', 'epoch']

/** What is wrong with them does not come right by waiting. */
const longestMs = 10_000

type How = { control: string; assigners: readonly string[] }

type EveryTask = {
  problems: Problem[]
  compared: number
  told: string[]
  /** some events of the control task show who or when, but too few for its changes: more may come */
  isPartlyTold: boolean
}

/** As problemsOfEveryTask, while events may still come: those of others may stand in their place at first. */
export async function everyTaskInTime(
  asked: Asked,
  recorded: Recorded,
  how: How,
): Promise<EveryTask> {
  const isSettled = ({ problems, isPartlyTold }: EveryTask) =>
    problems.length === 0 && !isPartlyTold
  const first = problemsOfEveryTask(asked.ledger, recorded, how)
  if (isSettled(first)) return first
  const { countOf } = await openCount(asked)
  const lookAgain = async () => {
    const changes = changesOf(asked.ledger)
    const tasks = [...changes.keys()]
    const files = await Promise.all(tasks.map(async (task) => [task, await countOf(task)] as const))
    const counted = { ...recorded, changes, files: new Map(files) }
    return problemsOfEveryTask(asked.ledger, counted, how)
  }
  // An event of the control task takes as long as its others did.
  const limitMs = Math.min(first.isPartlyTold ? asked.lateMs : asked.limitMs, longestMs)
  const waiting = { limitMs, stop: asked.stop, firstMs: 1000, maxMs: 5000, askLate: true }
  return (await poll(lookAgain, isSettled, waiting)).last
}

/**
 * Tasks of which fewer events show who assigned, or a time of this run, than changes were made: in a column
 * that shows it of every change of the control task. What others did to the task is told beside that.
 */
export function problemsOfEveryTask(
  ledger: Ledger,
  { changes, files, start }: Pick<Recorded, 'changes' | 'files' | 'start'>,
  { control, assigners }: How,
): EveryTask {
  const lasted = Date.now() - (ledger.updates[0]?.at ?? 0)
  const first = instantAt(start)
  // A file need not show seconds.
  const from = cutTo(first, minute)
  const to = first + BigInt(lasted + 2 * slackMs) * millisecond
  const traits: Trait[] = [
    {
      what: 'the id of who assigned',
      isIn: (cell) => assigners.some((id) => isSameId(cell, id)),
    },
    ...orders.map((order) => ({
      what: 'a time of this run',
      isIn: (cell: string) => {
        const date = dateIn(cell, order)
        const instant = date && instantOf(date)
        return instant !== undefined && instant >= from && instant <= to
      },
    })),
  ]
  const shownOf = (task: string, { column, isIn }: Trait & { column: number }) =>
    files.get(task)?.records.filter((record) => isIn(record[column] ?? '')).length ?? 0
  const isWhole = (task: string) => (files.get(task)?.count ?? 0) >= (changes.get(task) ?? 0)

  const width = Math.max(0, ...(files.get(control)?.records.map(({ length }) => length) ?? []))
  const places = traits.flatMap((trait) =>
    Array.from({ length: width }, (_, column) => ({ ...trait, column })),
  )
  const ofControl = changes.get(control) ?? Number.POSITIVE_INFINITY
  const told = places.filter((place) => shownOf(control, place) >= ofControl)
  // Events that are missing are another clause's matter.
  const others = [...changes.keys()].filter((task) => task !== control && isWhole(task))
  const problems = others.flatMap((task) => {
    const wanted = changes.get(task) ?? 0
    const short = told.filter((place) => shownOf(task, place) < wanted)
    return distinct(short.map(({ what }) => what)).map((what) => {
      const least = Math.min(
        ...short.filter((one) => one.what === what).map((one) => shownOf(task, one)),
      )
      return problem(
        `task ${task}: ${wanted} changes, and ${least} events that show ${what} where those of task ${control} do`,
        {
          expected: `${wanted} events`,
          got: `${least} events`,
          judged: files.get(task)?.records,
          control: files.get(control)?.records,
          again: { why: 'the updates have to be made first' },
        },
      )
    })
  })
  return {
    problems,
    compared: others.length,
    told: distinct(told.map(({ what }) => what)),
    isPartlyTold: told.length === 0 && places.some((place) => shownOf(control, place) > 0),
  }
}

/** The ids in whose name this run assigned. */
export const assignersIn = ({ updates }: Ledger, actorId: string | undefined): string[] =>
  distinct([actorId, ...updates.map(({ assignment }) => assignment?.assigned_by_id)].filter(isText))

const isText = (value: unknown): value is string => typeof value === 'string'
