import type { CsvReading } from '../../engine/files/csv.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { poll } from '../../engine/time/polling.ts'
import { type Exports, needCsv } from '../export/ask/exports.ts'
import type { Query } from '../export/ask/query.ts'
import { farFuture, noEvents } from '../export/learn/spans.ts'
import { changesOf, type Ledger } from '../history/accepted-updates.ts'
import { linesInCommon } from './lines-around.ts'

/** Clocks are read to the second, and one that is a little behind is taken for ours. */
export const slackMs = 10_000
/** An id that no task has. */
const noTask = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
export const late = 'events come some time after the updates that they are of'

export type Asked = {
  exports: Exports
  ledger: Ledger
  /** a task of which it was seen that the export shows all updates */
  control: string
  /** how long the last event of that task may take, by what its others took */
  lateMs: number
  limitMs: number
  stop: AbortSignal
}

export type Counted = { count: number; records: CsvReading['records'] }

/** What the export shows of the changes of this run; the files of each task that was changed. */
export type Recorded = {
  problems: Problem[]
  /** how often each task had been changed when its events were counted: updates may follow */
  changes: ReadonlyMap<string, number>
  total: number
  files: ReadonlyMap<string, Counted>
  /** from when on, by the service's clock */
  start: string
}

/** Counts the events of a task within a range, by default since this run began. */
export async function openCount({ exports, ledger }: Pick<Asked, 'exports' | 'ledger'>) {
  const changes = changesOf(ledger)
  const [first] = ledger.updates
  if (changes.size === 0 || !first) throw new NotDecidable('data', 'no assignment was changed')
  const ahead = exports.times().map((time) => time - Date.now())
  const timeOf = (at: number) => new Date(at).toISOString()
  const start = timeOf(first.at + Math.min(...ahead) - slackMs)
  const untilNow = () => timeOf(Date.now() + Math.max(...ahead) + slackMs)
  /**
   * Files without events, for lines of a file that are none may tell what was asked for: that of a task
   * that nobody has. Who does not narrow by tasks has no events long ago, nor to come.
   */
  const emptyOf = async (range: Query) => {
    const metadata = { task_id: noTask }
    const ofNobody = await exports.csv({ ...range, metadata })
    const longAgo = await exports.csv({ ...noEvents, metadata })
    const accepted = [ofNobody, longAgo].filter(({ answer }) => isAccepted(answer))
    const found = accepted.length > 0 ? accepted : await withoutEvents(range)
    return found.map((each) => needCsv(each).records)
  }
  /** Of the parameters of this range, where they are accepted: a line of each may be in the file. */
  const withoutEvents = async ({ end }: Query) => {
    const toCome = { start: farFuture(exports) }
    const found = end === undefined ? [await exports.csv(toCome)] : []
    const accepted = found.filter(({ answer }) => isAccepted(answer))
    return accepted.length > 0 ? accepted : [await exports.csv(noEvents)]
  }
  const countOf = async (task: string, range: Query = { start }): Promise<Counted> => {
    const files = await emptyOf(range)
    const found = await exports.csvAnew({ ...range, metadata: { task_id: task } })
    const { records } = needCsv(found)
    const names = { empty: noTask, found: task }
    const lines = Math.min(...files.map((empty) => linesInCommon(empty, records, names)))
    return { count: records.length - lines, records }
  }
  return { changes, start, untilNow, countOf }
}

/** Tasks of which the export shows fewer events than this run changed their assignment. */
export async function problemsOfRecord(asked: Asked): Promise<Recorded> {
  const { ledger, control, lateMs, limitMs, stop } = asked
  const { changes, start, countOf } = await openCount(asked)
  const files = new Map<string, Counted>()
  const missing = async (tasks: readonly string[]) => {
    const counts = await Promise.all(
      tasks.map(async (task) => [task, await countOf(task)] as const),
    )
    for (const [task, counted] of counts) files.set(task, counted)
    return counts.flatMap(([task, { count, records }]) => {
      const wanted = changes.get(task) ?? 0
      if (count >= wanted) return []
      const sentence = `task ${task}: ${wanted} changes, and ${count} events since ${start}`
      const seen = { expected: `${wanted} events`, got: `${count} events`, judged: records }
      const control = ledger.updates.filter((update) => update.task === task)
      return [{ task, problem: problem(sentence, { ...seen, control, again: { why: late } }) }]
    })
  }
  const { met } = await poll(
    () => missing([control]),
    (found) => found.length === 0,
    { limitMs: lateMs, stop, firstMs: 100 },
  )
  if (!met) throw new NotDecidable('clause', `too few events since ${start}`, 'audit.time')
  let left = [...changes.keys()]
  const { last } = await poll(
    async () => {
      const found = await missing(left)
      left = found.map(({ task }) => task)
      return found
    },
    (found) => found.length === 0,
    { limitMs, stop, firstMs: 100, askLate: true },
  )
  const problems = last.map((each) => each.problem)
  const total = [...changes.values()].reduce((sum, each) => sum + each, 0)
  return { problems, changes, total, files, start }
}
