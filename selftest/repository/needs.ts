// The settings that clauses cannot do without, by the givens that they name: for program/clauses.json.
import type { Noted } from '../../engine/clause/clause.ts'
import { idSettingsOf, resourceReadBy } from '../../helpers/contract/operations.ts'
import type { Givens } from '../../helpers/givens.ts'
import type { Need } from '../../program/clauses.ts'
import { wordsOf } from '../long.ts'

const changes: Need[] = ['TASK_IDS', 'ACTOR_ID']

const needsOfGivens: Readonly<Record<string, readonly Need[]>> = {
  ...Object.fromEntries(
    wordsOf(
      'alone attempts borrowed control furtherUpdates leftTasks ledger people sequence trail',
    ).map((given) => [given, changes]),
  ),
  actor: ['ACTOR_ID'],
  user: [...changes, 'USER_IDS'],
  arrivals: [...changes, 'MAILBOX_URL'],
  taskReadings: ['READ_TASK_IDS'],
  stillTaskId: ['READ_TASK_IDS'],
  outside: ['OUTSIDE_PROXY_URL'],
  otherRegion: ['WRONG_REGION_URL'],
  keyInQuery: ['KEY_IN_QUERY'],
}

/** Clauses that change a task only if nothing else decides them. */
const doWithout = /^(export\.csv\.(status|readable)|assign\.not-found\.\w+)$/

export function needsOf({ facts, givens }: Noted<Givens>): Need[] {
  // Of a task the last, READ_TASK_IDS: TASK_IDS counts as it.
  const readings = idSettingsOf(resourceReadBy(facts)).at(-1) as Need
  const needs = givens.flatMap((given) => needsOfGivens[given] ?? [])
  if (givens.includes('readings')) needs.push(readings)
  const isNeeded = (name: Need) => name !== 'TASK_IDS' || !doWithout.test(facts.id)
  const order = Object.values(needsOfGivens).flat()
  return [...new Set([...order, ...needs])].filter((name) => needs.includes(name) && isNeeded(name))
}
