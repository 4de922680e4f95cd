// How many events an update leaves: as many as others of its kind. Told by the comments that events show.

import type { CsvReading } from '../../engine/files/csv.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { type Accepted, type Ledger, type Shown, stepsOf } from '../history/accepted-updates.ts'
import { ownComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { showsWhole } from './all-comments.ts'
import type { Recorded } from './all-recorded.ts'

type Counted = {
  update: Accepted
  /** the transition */
  kind: string
  /** and the one after it: an event may show the comment before its own too */
  way: string
  events: CsvReading['records']
}

/** With fewer of its kind, none of them is the usual. */
const fewestAlike = 3

/** Updates that left more events than most of their kind; how many were compared, of how many shown. */
export function problemsOfOften(
  ledger: Ledger,
  { files }: Pick<Recorded, 'files'>,
): { problems: Problem[]; compared: number; shown: number } {
  const counted = countsOf(ledger, files)
  const problems: Problem[] = []
  let compared = 0
  for (const kind of new Set(counted.map((one) => one.kind))) {
    const alike = counted.filter((one) => one.kind === kind)
    const usual = usualOf(alike.map(({ events }) => events.length))
    if (usual === undefined) continue
    for (const { update, events, way } of alike) {
      // What comes of the next transition is the same for others before such a one.
      const others = alike.filter((one) => one.way === way && one.update !== update)
      if (others.length === 0) continue
      compared += 1
      const control = others.find((one) => one.events.length === usual)?.update.exchange
      if (events.length > usual && control)
        problems.push(
          problem(
            `events that show the comment ${shown(update.comment)}: ${events.length}; that of most other updates ${kind}: ${usual}`,
            {
              expected: `events: ${usual}`,
              got: `events: ${events.length}`,
              judged: [update.exchange, events],
              control,
              again: { why: 'other updates of its kind have to be seen beside it' },
            },
          ),
        )
    }
  }
  return { problems, compared, shown: counted.length }
}

/** What more than half of them have. */
function usualOf(counts: readonly number[]): number | undefined {
  if (counts.length < fewestAlike) return undefined
  return counts.find((one) => counts.filter((other) => other === one).length * 2 > counts.length)
}

function countsOf(ledger: Ledger, files: Recorded['files']): Counted[] {
  return stepsOf(ledger).flatMap(({ update, former, next }) => {
    const { comment, task, assignment } = update
    // One that was sent twice leaves events of both.
    const isOne = ledger.updates.filter((other) => other.comment === comment).length === 1
    if (!comment || !ownComment.test(comment) || !isOne) return []
    const records = files.get(task)?.records ?? []
    const events = records.filter((record) => showsWhole(record, comment))
    const after = next ? describeStep(assignment, next.assignment) : 'nothing'
    const kind = describeStep(former, assignment)
    return events.length === 0 ? [] : [{ update, kind, way: `${kind}, before ${after}`, events }]
  })
}

function describeStep(former: Shown | undefined, given: Shown): string {
  const isSame = given && former && isSameId(former.assigned_to_id, given.assigned_to_id)
  const to = isSame ? 'the same' : (given?.assigned_to_type ?? 'nobody')
  return `from ${former?.assigned_to_type ?? 'nobody'} to ${to}`
}
