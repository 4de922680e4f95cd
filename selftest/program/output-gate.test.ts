import { expect, test } from 'vitest'
import { createOutputGate } from '../../program/report/output-gate.ts'

test('a key that equals a part of a clause id is removed everywhere but in the id', () => {
  const gate = createOutputGate(['wrong'])
  const value = { id: 'auth.wrong-region', reason: 'the key is wrong, as in auth.wrong-region.' }
  expect(gate.value(value)).toEqual({
    id: 'auth.wrong-region',
    reason: 'the key is (configured), as in auth.wrong-region.',
  })
})
