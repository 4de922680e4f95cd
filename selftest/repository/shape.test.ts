// A clause asks, its law judges.

import { expect, test } from 'vitest'
import { clauses } from '../../helpers/clause.ts'
import '../../suites/all.ts'
import { codeOf, tree } from './tree.ts'

test('every clause has a law, or a look', () => {
  const without = [...clauses.values()].filter(
    ({ judging }) => !('law' in judging || 'look' in judging),
  )
  expect(without.map(({ facts }) => facts.id)).toEqual([])
})

test('the body of a clause asks, and condemns nothing', () => {
  // What could not be asked for, or does not show enough, may be thrown.
  const judges = /\bexpect\(|\bthrow\b(?! (?:error|new (?:Trouble|NotDecidable|ForeignChange)\b))/
  for (const each of ['expect(x)', 'throw lost', 'throw new Error(x)']) expect(each).toMatch(judges)
  for (const each of ['toExpect(x)', 'throw new Trouble(x)', 'throw error'])
    expect(each).not.toMatch(judges)
  const suites = tree.filter((file) => file.startsWith('suites/'))
  const wrong = suites.flatMap((file) => {
    const [word] = judges.exec(codeOf(file)) ?? []
    return word === undefined ? [] : `${file} says ${word}`
  })
  expect(wrong, 'Move what judges into the law; a premise may end a body.').toEqual([])
})
