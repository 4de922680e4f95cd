import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { caseOrWhy, type Law, restsOf, rule } from '../../../engine/clause/law.ts'
import { after, anew, beside, from, smaller } from '../../../engine/origin.ts'
import { allEnded, NotDecidable, outcomeOf, Trouble, type Why } from '../../../engine/outcome.ts'
import { problem } from '../../../engine/problem.ts'

type Case = { says: string; exchange?: number }

/** Judges "wrong" with a problem and "right" with none; everything else is undecided. */
const problemsOf: Law<Case> = (one) => {
  if (one.says === 'right') return []
  if (one.says === 'timeout') throw new Trouble(one.says)
  if (one.says !== 'wrong') throw new NotDecidable('freedom', one.says)
  return [problem('it is wrong', { expected: 'right', got: 'wrong', judged: one })]
}
const cases = (...words: string[]): Case[] => words.map((says, at) => ({ says, exchange: at + 1 }))
const none: Why = ['data', 'there is no word']

/** The sentences of the problems, or what ends the clause without a verdict. */
async function ruled(asked: Parameters<typeof rule<Case>>[0], law: Law<Case> = problemsOf) {
  try {
    const { problems, decided } = await rule(asked, { law, none })
    return problems.length > 0 ? problems : `${decided.length} decided`
  } catch (error) {
    return outcomeOf(error)
  }
}
const undecided = (reason: string, cause = 'freedom') => ({ kind: 'undecided', reason, cause })

test('undecidable cases are skipped, unless all are: then the first reason counts', async () => {
  expect(await ruled(cases('right', 'it is refused', 'right'))).toBe('2 decided')
  expect(await ruled(cases('it is refused', 'it is empty'))).toEqual(undecided('it is refused'))
})

test('one problem breaks the clause, beside any other cases', async () => {
  for (const others of [['right'], ['it is refused'], ['timeout']])
    expect(await ruled(cases(...others, 'wrong', ...others))).toMatchObject([{ judged: [2] }])
})

test('trouble with one case leaves no pass', async () => {
  expect(await ruled(cases('right', 'timeout', 'right'))).toMatchObject({ kind: 'trouble' })
})

test('what could not be asked for is not a case', async () => {
  const refused = await caseOrWhy<Case>(Promise.reject(new NotDecidable(...none)))
  expect(await ruled([refused, ...cases('right')])).toBe('1 decided')
  expect(await ruled([refused])).toEqual(undecided('there is no word', 'data'))
  const mistake = new TypeError('ours')
  await expect(caseOrWhy(Promise.reject(mistake))).rejects.toBe(mistake)
})

test('a body that yields is asked for no more after the first breach', async () => {
  const asked: string[] = []
  const body = async function* () {
    for (const one of cases('right', 'wrong', 'wrong')) {
      asked.push(one.says)
      yield one
    }
  }
  expect(await ruled(body())).toMatchObject([{ judged: [2] }])
  expect(asked).toEqual(['right', 'wrong'])
})

test('a suspicion counts if the case shows it again', async () => {
  const again = (first: string, second: string) => {
    const [one, other] = cases(first, second) as [Case, Case]
    return [anew(one, async () => other)]
  }
  expect(await ruled(again('wrong', 'right'))).toBe('1 decided')
  expect(await ruled(again('wrong', 'wrong'))).toMatchObject([{ judged: [2] }])
  expect(await ruled(again('right', 'wrong'))).toBe('1 decided')
  const open = async (...[first, ...others]: Case[]): Promise<Case> =>
    first && others.length > 0
      ? anew(first, () => open(...others), { otherwise: () => new Trouble('timeout') })
      : (first as Case)
  expect(await ruled([await open(...cases('right', 'wrong'))])).toBe('1 decided')
  for (const clean of [cases('wrong', 'right'), cases('wrong', 'wrong', 'right', 'wrong')])
    expect(await ruled([await open(...clean)])).toMatchObject({ kind: 'trouble' })
  const often = await open(...cases('wrong', 'wrong', 'wrong'))
  expect(await ruled([often])).toMatchObject([{ judged: [3] }])
})

test('a suspicion is asked anew until nothing changes meanwhile, or a new case has none', async () => {
  const asked: string[] = []
  const again = (later: string[], stoodStill: boolean[]) => {
    const [one, ...others] = cases('wrong', ...later) as [Case, ...Case[]]
    const next = async () => {
      asked.push('a case')
      return others.shift() as Case
    }
    return [anew(one, next, { stoodStill: async () => stoodStill.shift() as boolean })]
  }
  expect(await ruled(again(['wrong', 'wrong'], [true, false, true]))).toMatchObject([
    { judged: [3] },
  ])
  expect(await ruled(again(['wrong', 'right', 'wrong'], [true, false, true]))).toBe('1 decided')
  expect(asked).toHaveLength(4)
})

test('what is left to another clause is asked for anew too', async () => {
  const left = () => new NotDecidable('clause', 'there is no file', 'export.csv.status')
  const [right] = cases('right') as [Case]
  expect(await ruled([anew(left(), async () => right)])).toBe('1 decided')
  expect(await ruled([anew(left(), () => Promise.reject(left()))])).toMatchObject({
    cause: 'clause',
  })
})

test('of a broken case the smallest that is broken is reported', async () => {
  type Sized = Case & { size: number }
  const tried: number[] = []
  const sized = (size: number, says = 'wrong'): Sized =>
    smaller({ says, exchange: size, size }, () =>
      [size - 1, size >> 1].map((next) => async () => {
        tried.push(next)
        return sized(next, next % 2 === 0 && next > 2 ? 'wrong' : 'right')
      }),
    )
  expect(await ruled([sized(24)])).toMatchObject([{ judged: [6] }])
  expect(tried).toEqual([23, 12, 11, 6, 5, 3])
})

test('a verdict depends on the exchanges of its cases, their controls and what came before', async () => {
  const answer = after(beside({ says: 'wrong', exchange: 7 }, { control: 3 }), 2)
  expect(restsOf([{ answer }, from({ read: 'it' }, 9, 8)])).toEqual({
    judged: [7, 8, 9],
    control: [3],
    before: [2],
    judgedBy: 3,
  })
  expect(restsOf([{ answer: { exchange: 4 }, control: { exchange: 1 } }])).toMatchObject({
    judged: [4],
    control: [1],
  })
  const rows = from([['a']], 8)
  expect(restsOf([{ answer, rows, more: [from({ read: 'it' }, 9)] }]).judged).toEqual([7, 8, 9])
  const whole = from({ answer }, 7)
  expect(await ruled([answer])).toMatchObject([{ judged: [7], control: [3], before: [2] }])
  expect(restsOf([whole]).control).toEqual([])
})

test('a verdict names twelve exchanges and says how many there are', () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ says: 'right', exchange: at + 1 }))
  const { judged, judgedBy } = restsOf(many)
  expect([judged.length, judgedBy]).toEqual([12, 30])
})

test('results are returned, or a failure is thrown, once all have ended', async () => {
  expect(await allEnded([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2])
  let isOver = false
  const slow = sleep(20).then(() => (isOver = true))
  const unseen = new NotDecidable('clause', 'nothing to see', 'task.read.success')
  await expect(allEnded([Promise.reject(unseen), slow])).rejects.toBe(unseen)
  expect(isOver).toBe(true)
})
