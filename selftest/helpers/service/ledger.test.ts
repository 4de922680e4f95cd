import { describe, expect, test } from 'vitest'
import { changesOf, emptyLedger } from '../../../helpers/service/ledger.ts'

const to = (id: string, assignment_comment?: string | null) => ({
  assigned_by_id: 'by',
  assigned_to_id: id,
  assigned_to_type: 'USER' as const,
  ...(assignment_comment === undefined ? {} : { assignment_comment }),
})

describe('the changes that have to be recorded', () => {
  test('are those of what a task showed before, once each', () => {
    const ledger = emptyLedger()
    ledger.before.set('t', null)
    for (const assignment of [to('a'), to('b'), null])
      ledger.updates.push({ task: 't', assignment, at: 0, exchange: 1 })
    expect(changesOf(ledger)).toEqual(new Map([['t', 3]]))
  })

  test('are none where an assignment is only spelt in another way', () => {
    const ledger = emptyLedger()
    ledger.before.set('t', to('a'))
    for (const assignment of [to('A'), to('a', null)])
      ledger.updates.push({ task: 't', assignment, at: 0, exchange: 1 })
    expect(changesOf(ledger)).toEqual(new Map())
  })

  test('leave out the first update of a task that was not read before', () => {
    const ledger = emptyLedger()
    for (const assignment of [to('a'), to('a', 'why')])
      ledger.updates.push({ task: 't', assignment, at: 0, exchange: 1 })
    expect(changesOf(ledger)).toEqual(new Map([['t', 1]]))
  })
})
