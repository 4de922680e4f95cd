// A clause asks, its law judges.

import { expect, test } from 'vitest'
import { clauses } from '../../engine/clause/clause.ts'
import '../../suites/all.ts'

test('every clause has a law, or a look', () => {
  const without = [...clauses.values()].filter(
    ({ judging }) => !('law' in judging || 'look' in judging),
  )
  expect(without.map(({ facts }) => facts.id)).toEqual([])
})

test('the body of a clause asks, and condemns nothing', () => {
  // A loaded module calls (0, imported.expect)(…). What could not be asked for may be thrown on.
  const judges =
    /\b(expect(?=\)?\()|throw\b(?! (?:error|new (?:[\w$]+\.)?(?:Trouble|NotDecidable))\b))/
  for (const each of ['expect(x)', '(0,a.expect)(x)', 'throw lost', 'throw new Error(x)'])
    expect(each).toMatch(judges)
  for (const each of ['toExpect(x)', 'throw new a.Trouble(x)', 'throw error'])
    expect(each).not.toMatch(judges)
  const wrong = [...clauses.values()].flatMap(({ facts, body }) => {
    const [, word] = judges.exec(String(body)) ?? []
    return word === undefined ? [] : `${facts.id} calls ${word}`
  })
  expect(wrong, 'Move what judges into the law; a premise may end a body.').toEqual([])
})
