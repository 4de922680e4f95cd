import { expect, test } from 'vitest'
import { rule } from '../../../engine/clause/law.ts'
import type { Answer } from '../../../engine/http/client.ts'
import { outcomeOf } from '../../../engine/outcome.ts'
import { randomFor } from '../../../engine/random.ts'
import { fetchUnknown, problemsOfUnknown } from '../../../helpers/reads/unknown-ids.ts'

/** Requests three ids, and two of them again, with these answers. */
async function endOf(statuses: [first: number, then?: number][]): Promise<string> {
  const times = new Map<string, number>()
  const ids: string[] = []
  const ask = async (id: string) => {
    if (!ids.includes(id)) ids.push(id)
    const time = times.get(id) ?? 0
    times.set(id, time + 1)
    const status = statuses[ids.indexOf(id)]?.[time]
    return { method: 'GET', path: `/tasks/${id}`, status, exchange: 1 } as Answer
  }
  const asking = {
    random: randomFor(1, 'unknown ids'),
    clause: 'task.read.not-found',
    needControl: async () => undefined,
  }
  return rule(fetchUnknown(ask, asking), { law: problemsOfUnknown }).then(
    ({ problems }) => (problems.length > 0 ? 'broken' : 'held'),
    (error) => `${outcomeOf(error).kind}, ${error.message}`,
  )
}

// biome-ignore format: one service a line
test.each<[string, string, [number, number?][]]>([
  ['all are 404', 'held', [[404], [404], [404]]],
  ['one is something else', 'broken', [[404], [410], [404]]],
  ['all are 403', 'undecided', [[403], [403], [403]]],
  ['one is 403 each time', 'broken', [[403, 403], [404, 404], [404]]],
  ['one is 403 once, and then 404', 'held', [[403, 404], [404, 404], [404]]],
  ['one is 403 once, and then 410', 'broken', [[403, 410], [404, 404], [404]]],
  ['one is 403 each time, and soon all are', 'trouble, .* responded 403, but 404 to the same request before', [[403, 403], [404, 403], [404]]],
])('of unknown ids: %s: %s', async (_, kind, statuses) => {
  expect(await endOf(statuses)).toMatch(new RegExp(`^${kind}(, |$)`))
})
