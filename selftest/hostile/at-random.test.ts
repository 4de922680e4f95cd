import { expect, test } from 'vitest'
import { seededRandom } from '../../engine/http/retry.ts'
import { lendService } from '../helpers/loans/lent-service.ts'
import { begun } from './midway.ts'
import { visit } from './visit.ts'

// SEED=… npx vitest run selftest/hostile/at-random tries other answers.
const random = seededRandom(Number(process.env.SEED ?? 3))
const oneOf = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T

const statuses = [
  200, 202, 204, 206, 300, 304, 400, 403, 404, 405, 409, 412, 413, 422, 428, 500, 599,
]
const bodies = [
  'null',
  '[null]',
  '0',
  '""',
  '{}',
  '{',
  '',
  '{"id":null,"assignment":[]}',
  '{"id":{"a":1},"updated_at":{},"assignment":{"assigned_to_id":7}}',
]

/** The same answer with another status, another body, or one member of its body replaced. */
async function bent(answer: Response): Promise<Response> {
  const { status } = answer
  const made = (body: string, now = status) =>
    new Response([204, 304].includes(now) ? null : body, { status: now, headers: answer.headers })
  if (!answer.headers.get('content-type')?.includes('json') || random() < 0.3)
    return made(await answer.text(), oneOf(statuses))
  if (random() < 0.5) return made(oneOf(bodies))
  const body = (await answer.json()) as Record<string, unknown>
  const name = oneOf(Object.keys(body))
  return made(JSON.stringify({ ...body, [name]: oneOf([null, [], {}, 0, '', [{}], true]) }))
}

test('one answer in five is something else: all clauses come to a verdict', async () => {
  let count = 0
  const lent = await lendService({
    between: async (request, next) => {
      count += 1
      const answer = await next(request)
      return count > begun && random() < 0.2 ? bent(answer) : answer
    },
  })
  const { code, output, report } = await visit({ ...lent.env, SETTLE_MS: '50' })
  expect(code, output).toBe(1)
  expect(report.clauses.length).toBeGreaterThan(250)
  const left = report.residue.map(({ task }) => task)
  expect(left, output).toEqual(expect.arrayContaining(await lent.changed()))
})
