// What became of the causes of an earlier run, in words.

import { counted } from '../../engine/counted.ts'
import type { CauseChange } from '../../engine/run/report.ts'
import { listOf } from './not-checked.ts'
import { groupedBy, present } from './texts.ts'

/** "1 cause new, 2 still broken" */
export function countsOfChanges(changes: readonly CauseChange[]): string[] {
  const byChange = [...groupedBy(changes, ({ change }) => change)]
  return byChange.map(([change, { length }], at) => {
    const count = at === 0 ? counted(length, 'cause') : String(length)
    return `${count} ${wordsOfChange(change, length)}`
  })
}

function wordsOfChange(change: CauseChange['change'], count: number): string {
  switch (change) {
    case 'still':
      return 'still broken'
    case 'passing':
      return `${count === 1 ? 'passes' : 'pass'} now, under another seed`
    case 'not decided':
      return 'not decided now'
    case 'replaced':
      return 'replaced by another cause'
    default:
      return change
  }
}

/** A line for each change. What is still broken is listed elsewhere, unless other clauses show it. `seed`: of the earlier run, if it is another. */
export const linesOfChanges = (changes: readonly CauseChange[], seed?: number): string[] =>
  changes
    .filter(({ change, passedThen, passNow }) => change !== 'still' || passedThen || passNow)
    .map((cause) => lineOfChange(cause, seed))

function lineOfChange(cause: CauseChange, seed: number | undefined): string {
  const { change, title, clauses, passedThen, passNow = [] } = cause
  const another = seed === undefined ? '' : ', under another seed'
  const words = wordsOfChange(change, 1)
  return present([
    change === 'still'
      ? `${words}: ${title}`
      : `${words}${change === 'passing' ? ` (${seed} then)` : ''}: ${title}: ${listOf(clauses)}`,
    passedThen && `passed then: ${listOf(passedThen)}`,
    passNow.length > 0 &&
      `${passNow.length === 1 ? 'passes' : 'pass'} now${another}: ${listOf(passNow)}`,
  ]).join('; ')
}
