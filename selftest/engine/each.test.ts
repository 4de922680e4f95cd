import { expect, test } from 'vitest'
import { eachNoting } from '../../engine/clause/each.ts'
import { NotDecidable, outcomeOf } from '../../engine/outcome.ts'
import { problem } from '../../engine/problem.ts'

const found = problem('it is wrong', { expected: 'right', got: 'wrong', judged: 1 })
/** Judges "wrong" with a problem and "right" with none; everything else is undecided. */
const judge = (one: string) => {
  if (one === 'wrong') return [found]
  if (one === 'right') return []
  throw new NotDecidable('freedom', one)
}

/** The outcome and the witness of a clause over these cases. */
async function judged(...cases: string[]) {
  let witness: string | undefined
  const each = eachNoting((text) => {
    witness = text
  })
  const pass = { none: ['data', 'there is no word'] as ['data', string], of: 'words' }
  const error = await each(cases, judge, pass).catch((error) => error)
  return { witness, outcome: error && outcomeOf(error) }
}

test('a clause without cases is undecided', async () => {
  expect(await judged()).toEqual({
    witness: undefined,
    outcome: { kind: 'undecided', reason: 'there is no word', cause: 'data' },
  })
})

test('a pass says how many cases were decided', async () => {
  const { witness, outcome } = await judged('right', 'it is refused', 'right')
  expect(outcome).toBeUndefined()
  expect(witness).toBe('2 words')
})

test('if no case is decidable, the first reason counts', async () => {
  const { outcome } = await judged('it is refused', 'it is empty')
  expect(outcome).toMatchObject({ kind: 'undecided', reason: 'it is refused', cause: 'freedom' })
})

test('one problem fails the clause, undecidable cases or not', async () => {
  const { outcome } = await judged('right', 'it is refused', 'wrong')
  expect(outcome).toMatchObject({ kind: 'broken', breaches: [{ sentence: 'it is wrong' }] })
})
