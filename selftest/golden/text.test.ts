import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases, testSeed } from '../long.ts'
import { goldenOf, matrixOf, read, write } from './text.ts'

const part = fc.constantFrom('a', 'b', 'c-d')
const clause = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))
const said = fc.constantFrom('pass', 'fail', 'skip data', 'observed 0a1b', 'exit 1')
const rows = fc.dictionary(clause, said, { minKeys: 1 })
const targets = fc.dictionary(fc.constantFrom('fault x', 'variant y [a.* b]', 'fault z: 1'), rows, {
  minKeys: 1,
})

const clausesOf = (all: Record<string, Record<string, string>>) =>
  new Map(Object.entries(all).map(([target, of]) => [target, Object.keys(of)]))

const matrix = (all: Record<string, Record<string, string>>) =>
  new Map(
    Object.entries(all).flatMap(([target, of]) =>
      Object.entries(of).map(([id, each]) => [`${target}\t${id}`, each] as const),
    ),
  )

test('a matrix comes back from its text', () => {
  fc.assert(
    fc.property(targets, (all) => {
      const text = write(goldenOf(matrix(all)))
      expect(matrixOf(read(text), clausesOf(all))).toEqual(matrix(all))
    }),
    { numRuns: cases(500), seed: testSeed },
  )
})

test('a row is a line, and a changed verdict is one changed line', () => {
  const before = goldenOf(
    matrix({
      'fault x': { a: 'fail', 'a.b': 'pass' },
      'fault y': { a: 'pass' },
      'fault z': { a: 'pass' },
    }),
  )
  const after = goldenOf(matrix({ 'fault x': { a: 'skip data' } }), before)
  expect(write(before)).toBe('a · pass\n  fault x · fail\na.b · pass\n')
  expect(write(after)).toBe('a · pass\n  fault x · skip data\na.b · pass\n')
})

test('rows of names that are gone are dropped', () => {
  const before = goldenOf(
    matrix({ 'fault x': { a: 'fail' }, 'fault y': { a: 'pass' }, 'fault z': { a: 'pass' } }),
  )
  const after = goldenOf(matrix({ 'fault y': { a: 'pass' } }), before, {
    isTarget: (name) => name !== 'fault x',
  })
  expect(write(after)).toBe('a · pass\n')
  const renamed = goldenOf(matrix({ 'fault y': { b: 'pass' } }), before, {
    isClause: (id) => id !== 'a',
  })
  expect(write(renamed)).toBe('b · pass\n')
})

test('what is written anew of some targets leaves the others as they were', () => {
  fc.assert(
    fc.property(targets, rows, (all, again) => {
      const before = read(write(goldenOf(matrix(all))))
      const text = write(goldenOf(matrix({ 'fault x': again }), before))
      const after = { ...all, 'fault x': again }
      expect(matrixOf(read(text), clausesOf(after))).toEqual(matrix(after))
    }),
    { numRuns: cases(500), seed: testSeed },
  )
})
