import { expect, test } from 'vitest'
import { problemsOfWholeSeconds } from '../../../../helpers/export/judge/ranges/range-forms.ts'
import { smallTrail, wantedBy } from '../small-trail.ts'

const withoutFraction = /:\d\dZ$/

test('bounds without a fraction that are refused are told beside those that are accepted', async () => {
  const { ranges, exports } = smallTrail(({ start = '' }) =>
    withoutFraction.test(start) ? 400 : undefined,
  )
  const { problems, span } = await problemsOfWholeSeconds(ranges)
  expect(span.start).toMatch(withoutFraction)
  const [found] = problems
  expect(found?.sentence).toMatch(/ answered 400, and 200 with \.000 in place of no fraction$/)
  expect(found).toMatchObject({ expected: '200', got: '400' })
  const control = await exports.csv({
    start: span.start.replace('Z', '.000Z'),
    end: span.end.replace('Z', '.000Z'),
  })
  expect(found?.control).toEqual([control.answer.exchange])
})

test('a range within one second is told where it is refused for how its bounds are written', async () => {
  const { ranges } = smallTrail(({ start = '', end = '' }) => (start > end ? 400 : undefined))
  const { problems } = await problemsOfWholeSeconds(ranges)
  expect(problems.map(({ got }) => got)).toEqual(['400'])
  const [first = ''] = problems.map(({ sentence }) => sentence)
  expect(first).toMatch(/range_end=[^ ]*\.500Z answered 400/)
})

test('bounds without a fraction that let other events in are told by their number', async () => {
  const { ranges } = smallTrail((query) =>
    withoutFraction.test(query.start ?? '') ? { rows: wantedBy(query).slice(1) } : undefined,
  )
  const { problems } = await problemsOfWholeSeconds(ranges)
  expect(problems.map(({ expected, got }) => [expected, got])).toEqual([['46 rows', '45 rows']])
})

test('bounds of full seconds that are refused in either form tell nothing', async () => {
  const { ranges } = smallTrail(({ start = '' }) =>
    /:\d\d(\.000)?Z$/.test(start) ? 400 : undefined,
  )
  await expect(problemsOfWholeSeconds(ranges)).rejects.toThrow('it is refused')
})

test('403 to such bounds is no breach', async () => {
  const { ranges } = smallTrail(({ start = '' }) => (withoutFraction.test(start) ? 403 : undefined))
  await expect(problemsOfWholeSeconds(ranges)).rejects.toThrow()
})
