import { describe, expect, test } from 'vitest'
import { type Accepted, changesOf, type Shown } from '../../../helpers/history/accepted-updates.ts'

const to = (id: string, assignment_comment?: string | null) => ({
  assigned_by_id: 'by',
  assigned_to_id: id,
  assigned_to_type: 'USER' as const,
  ...(assignment_comment === undefined ? {} : { assignment_comment }),
})

const ledgerOf = (found: Shown | undefined, ...assignments: Shown[]) => ({
  before: new Map(found === undefined ? [] : [['t', found]]),
  updates: assignments.map(
    (assignment): Accepted => ({ task: 't', assignment, at: 0, exchange: 1 }),
  ),
})

describe('the changes that have to be recorded', () => {
  test('are those of what a task showed before, once each', () => {
    expect(changesOf(ledgerOf(null, to('a'), to('b'), null))).toEqual(new Map([['t', 3]]))
  })

  test('are none where an assignment is only spelt in another way', () => {
    expect(changesOf(ledgerOf(to('a'), to('A'), to('a', null)))).toEqual(new Map())
  })

  test('leave out the first update of a task that was not read before', () => {
    expect(changesOf(ledgerOf(undefined, to('a'), to('a', 'why')))).toEqual(new Map([['t', 1]]))
  })
})
