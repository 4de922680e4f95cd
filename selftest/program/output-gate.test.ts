import { expect, test } from 'vitest'
import { createOutputGate } from '../../program/report/output-gate.ts'
import { ownIds } from '../../program/run/contract.ts'

test('a key that is a word of an id leaves the id whole, and is removed elsewhere', () => {
  const gate = createOutputGate(['wrong'], ownIds)
  const value = { id: 'auth.wrong-region', reason: 'the key is wrong, as in auth.wrong-region.' }
  expect(gate.value(value)).toEqual({
    id: 'auth.wrong-region',
    reason: 'the key is (configured), as in auth.wrong-region.',
  })
})
