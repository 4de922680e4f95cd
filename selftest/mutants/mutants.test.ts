import { expect, test } from 'vitest'
import { unknownArguments } from './arguments.ts'
import { operators } from './operators.ts'

test('has one name for each mutant', () => {
  const ids = operators.map(({ id }) => id)
  expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([])
})

test('argues for mutants that exist', () => {
  expect(unknownArguments(operators)).toEqual([])
})
