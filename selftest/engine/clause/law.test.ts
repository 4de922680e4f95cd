import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Again, type Case, caseFrom, caseOf } from '../../../engine/clause/case.ts'
import { caseOrWhy, type Law, restsOf, rule } from '../../../engine/clause/law.ts'
import { statusFinding } from '../../../engine/findings/status.ts'
import { allEnded, NotDecidable, outcomeOf, Trouble, type Why } from '../../../engine/outcome.ts'
import { problem } from '../../../engine/problem.ts'

type Word = { says: string; exchange: number }

/** Judges "wrong" with a problem and "right" with none; everything else is undecided. */
const problemsOf: Law<Word> = (one) => {
  if (one.says === 'right') return []
  if (one.says === 'timeout') throw new Trouble(one.says)
  if (one.says !== 'wrong') throw new NotDecidable('freedom', one.says)
  const finding = statusFinding({ method: 'GET', path: '/', status: 200 }, 404)
  return [problem(finding, { judged: one })]
}
const wordsOf = (...words: string[]): Word[] =>
  words.map((says, at) => ({ says, exchange: at + 1 }))
const cases = (...words: string[]): Case<Word>[] => wordsOf(...words).map((word) => caseOf(word))
const none: Why = ['data', 'there is no word']

/** The sentences of the problems, or what ends the clause without a verdict. */
async function ruled(asked: Parameters<typeof rule<Word>>[0], law: Law<Word> = problemsOf) {
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
  const refused = await caseOrWhy<Case<Word>>(Promise.reject(new NotDecidable(...none)))
  expect(await ruled([refused, ...cases('right')])).toBe('1 decided')
  expect(await ruled([refused])).toEqual(undecided('there is no word', 'data'))
  const mistake = new TypeError('ours')
  await expect(caseOrWhy(Promise.reject(mistake))).rejects.toBe(mistake)
})

test('a body that yields is asked for no more after the first breach', async () => {
  const asked: string[] = []
  const body = async function* () {
    for (const word of wordsOf('right', 'wrong', 'wrong')) {
      asked.push(word.says)
      yield caseOf(word)
    }
  }
  expect(await ruled(body())).toMatchObject([{ judged: [2] }])
  expect(asked).toEqual(['right', 'wrong'])
})

test('a suspicion counts if the case shows it again', async () => {
  const again = (first: string, second: string) => {
    const [word, other] = wordsOf(first, second) as [Word, Word]
    return [caseOf(word, { again: { ask: async () => caseOf(other) } })]
  }
  expect(await ruled(again('wrong', 'right'))).toBe('1 decided')
  expect(await ruled(again('wrong', 'wrong'))).toMatchObject([{ judged: [2] }])
  expect(await ruled(again('right', 'wrong'))).toBe('1 decided')
  const open = async (...[first, ...others]: Word[]): Promise<Case<Word>> => {
    const again: Again<Word> = {
      ask: () => open(...others),
      otherwise: () => new Trouble('timeout'),
    }
    return caseOf(first as Word, others.length > 0 ? { again } : {})
  }
  expect(await ruled([await open(...wordsOf('right', 'wrong'))])).toBe('1 decided')
  for (const clean of [wordsOf('wrong', 'right'), wordsOf('wrong', 'wrong', 'right', 'wrong')])
    expect(await ruled([await open(...clean)])).toMatchObject({ kind: 'trouble' })
  const often = await open(...wordsOf('wrong', 'wrong', 'wrong'))
  expect(await ruled([often])).toMatchObject([{ judged: [3] }])
})

test('a suspicion is asked anew until nothing changes meanwhile, or a new case has none', async () => {
  const asked: string[] = []
  const again = (later: string[], stoodStill: boolean[]) => {
    const [word, ...others] = wordsOf('wrong', ...later) as [Word, ...Word[]]
    const ask = async () => {
      asked.push('a case')
      return caseOf(others.shift() as Word)
    }
    const again = { ask, stoodStill: async () => stoodStill.shift() as boolean }
    return [caseOf(word, { again })]
  }
  expect(await ruled(again(['wrong', 'wrong'], [true, false, true]))).toMatchObject([
    { judged: [3] },
  ])
  expect(await ruled(again(['wrong', 'right', 'wrong'], [true, false, true]))).toBe('1 decided')
  expect(asked).toHaveLength(4)
})

test('what is left to another clause is asked for anew too', async () => {
  const left = () => new NotDecidable('clause', 'there is no file', 'export.csv.status')
  const leftWith = (ask: Again<Word>['ask']) =>
    caseOf<Word | NotDecidable>(left(), { again: { ask } }) as Case<Word>
  const [right] = cases('right') as [Case<Word>]
  expect(await ruled([leftWith(async () => right)])).toBe('1 decided')
  expect(await ruled([leftWith(() => Promise.reject(left()))])).toMatchObject({
    cause: 'clause',
  })
})

test('of a broken case the smallest that is broken is reported', async () => {
  const tried: number[] = []
  const sized = (size: number, says = 'wrong'): Case<Word> =>
    caseOf(
      { says, exchange: size },
      {
        simpler: () =>
          [size - 1, size >> 1].map((next) => async () => {
            tried.push(next)
            return sized(next, next % 2 === 0 && next > 2 ? 'wrong' : 'right')
          }),
      },
    )
  expect(await ruled([sized(24)])).toMatchObject([{ judged: [6] }])
  expect(tried).toEqual([23, 12, 11, 6, 5, 3])
})

test('a verdict depends on the exchanges of its cases, their controls and what came before', async () => {
  const word = { says: 'wrong', exchange: 7 }
  const facts = { control: 3, differs: ['header if-match'], before: [{ exchanges: [2, 3] }, 7] }
  const read = { says: 'it', exchanges: [9, 8] }
  expect(restsOf([caseOf(word, facts), caseOf(read)])).toEqual({
    judged: [7, 8, 9],
    control: [3],
    before: [2],
    judgedBy: 3,
  })
  const [broken] = (await ruled([caseOf(word, facts)])) as unknown as object[]
  expect(broken).toMatchObject({
    judged: [7],
    control: [3],
    differs: ['header if-match'],
    before: [2],
  })
})

test('a finding that names its control keeps it beside the control of its case', async () => {
  const law: Law<Word> = (word) => [
    problem({ kind: 'status', due: 200, got: 400 } as never, { judged: word, control: 5 }),
  ]
  const facts = { control: 3, differs: ['header if-match'] }
  const [broken] = (await ruled(
    [caseOf({ says: 'wrong', exchange: 7 }, facts)],
    law,
  )) as unknown as object[]
  expect(broken).toMatchObject({ control: [5] })
  expect(broken).not.toHaveProperty('differs')
})

test('a law gets what is made of the data that came', async () => {
  const came = { words: ['right', 'wrong'], exchange: 4 }
  const last = caseFrom(
    came,
    ({ words, exchange }): Word => ({ says: words.at(-1) ?? '', exchange }),
  )
  expect(await ruled([last])).toMatchObject([{ judged: [4] }])
})

test('a verdict names twelve exchanges and says how many there are', () => {
  const many = Array.from({ length: 30 }, (_, at) => caseOf({ says: 'right', exchange: at + 1 }))
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
