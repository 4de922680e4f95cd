import { expect, test } from 'vitest'
import { NotDecidable } from '../../../engine/outcome.ts'
import { problemsOfAll } from '../../../helpers/export/ask/problems-of-all.ts'

const found = { sentence: 'it is wrong' } as never
/** Judges: "wrong" has a problem, "right" has none, and of all else nothing can be said. */
const judge = async (one: string) => {
  if (one === 'wrong') return [found]
  if (one === 'right') return []
  throw new NotDecidable('freedom', one)
}

test('where nothing can be said of any, the first reason is given', async () => {
  await expect(problemsOfAll(['it is refused', 'it is empty'], judge)).rejects.toThrow(
    /^it is refused$/,
  )
})

test('where something can be said of one, the others do not count', async () => {
  expect(await problemsOfAll(['it is refused', 'right'], judge)).toEqual([])
  expect(await problemsOfAll(['wrong', 'it is refused', 'wrong'], judge)).toEqual([found, found])
})

test('where there is none, nothing is wrong', async () => {
  expect(await problemsOfAll([], judge)).toEqual([])
})
