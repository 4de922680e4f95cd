import { expect, test } from 'vitest'
import { operators } from './operators.ts'
import { unknownArguments } from './write.ts'

test('has one name for each mutant', () => {
  const ids = operators.map(({ id }) => id)
  expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([])
})

test('argues for mutants that exist', () => {
  expect(unknownArguments(operators)).toEqual([])
})
