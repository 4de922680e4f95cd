import { expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { fetchReversedAnswers } from '../../../../helpers/export/laws/range-forms.ts'
import { smallTrail } from '../small-trail.ts'

const isReversed = ({ start = '', end = '' }: Query) => start > end

/** The statuses of each range reversed and as it is. */
async function statusesWhere(reversed: number, asItIs = 200) {
  const { ranges } = smallTrail((query) => {
    const status = isReversed(query) ? reversed : asItIs
    return status === 200 ? { rows: [] } : status
  })
  const found = await fetchReversedAnswers(ranges, 'csv')
  return found.map(({ answer, control }) => [answer.status, control.status])
}

test.each([200, 400, 500])('%i to reversed bounds is an answer to judge', async (status) => {
  const found = await statusesWhere(status)
  expect(found.length).toBeGreaterThan(3)
  expect(new Set(found.map(String))).toEqual(new Set([`${status},200`]))
})

test('502 and 503 to reversed bounds say nothing of the service', async () => {
  await expect(statusesWhere(502)).rejects.toThrow('answered 502; this clause needs its result')
  await expect(statusesWhere(503)).rejects.toThrow('answered 503; this clause needs its result')
})

test('ranges that are refused as they are tell nothing of reversed ones', async () => {
  await expect(statusesWhere(400, 400)).rejects.toThrow('it is refused')
})
