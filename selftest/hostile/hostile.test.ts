import { describe, expect, test } from 'vitest'
import { makeWorld } from '../../reference/world/world.ts'
import { lendService } from '../helpers/loans/lent-service.ts'
import { defaced, hostileCsv, hostileHeads, hostileSource } from './hostile-text.ts'
import { lendBehind } from './in-front.ts'
import { deep, disguised } from './odd-json.ts'
import { failedIn, visit } from './visit.ts'

const reads = [
  '--clauses',
  'task.read.*,assessment.read.*,auth.*.task.read,export.csv.*,export.filter.auditee_id.*',
  '--verbose',
]
const few = [
  '--clauses',
  'task.read.fields,task.read.repeatable,task.read.not-found,task.read.nulls',
]
/** Of the lent service, whose world holds hostile text too. */
const { apiKey } = makeWorld(1)
const loud = { BODIES: 'all', TIMEOUT_MS: '5000' }

type Between = NonNullable<NonNullable<Parameters<typeof lendService>[0]>['between']>

/** Runs the program against the reference service with changed answers. */
async function meet(between: Between, argv = reads, env: Record<string, string> = {}) {
  const lent = await lendService({ between })
  const visited = await visit({ ...lent.env, ...loud, ...env }, argv)
  return visited
}

const asJson = (body: string | Buffer, { status }: Response) =>
  new Response(body as string, { status, headers: { 'content-type': 'application/json' } })

describe.concurrent('a service that', () => {
  test.for<[string, string[]]>([
    ['every value of its answers but the id', ['id']],
    ['what it may put into any text', ['id', 'updated_at', 'created_at', 'assignment']],
  ])('puts hostile text into %s', async ([, keep]) => {
    const next = hostileSource(apiKey)
    const visited = await meet(async (request, onward) => {
      const answer = await onward(request)
      const type = answer.headers.get('content-type') ?? ''
      if (type.includes('csv'))
        return new Response(hostileCsv(50, next), { headers: answer.headers })
      if (!type.includes('json')) return answer
      return asJson(JSON.stringify(defaced(await answer.json(), next, keep)), answer)
    })
    expect(visited.code, visited.output).toBe(1)
    expect(visited.page).not.toMatch(/<script>alert|<img src=x/)
  })

  test('gives its objects odd members, as it may', async () => {
    const visited = await meet(
      async (request, onward) => {
        const answer = await onward(request)
        if (!answer.headers.get('content-type')?.includes('json')) return answer
        return asJson(disguised(await answer.text()), answer)
      },
      [
        '--clauses',
        'task.read.*,assessment.read.*,assign.unassigned-to-user,assign.answer-is-task',
      ],
    )
    expect(failedIn(visited), visited.output).toEqual([])
    expect(visited.code, visited.output).toBe(0)
  })

  test.for<[string, string]>([
    ['nested 100,000 deep', `{"a":${deep(100_000)}}`],
    ['of more objects than are read', `{"a":[${'{},'.repeat(600_000)}0]}`],
  ])('answers everything with JSON %s', async ([, json]) => {
    const visited = await meet(async () => asJson(json, new Response()), few)
    expect(visited.code, visited.output).toBeOneOf([1, 3])
  })

  test('puts hostile text into the head of every refusal, and sends cookies', async () => {
    const cookies: unknown[] = []
    const heads = hostileHeads(apiKey)
    const lent = await lendBehind(({ headers }, outgoing, count) => {
      if (headers.cookie) cookies.push(headers.cookie)
      if (headers.apikey === apiKey) return false
      outgoing.socket?.write(heads[count % heads.length] as string)
      return true
    })
    const visited = await visit({ ...lent.env, ...loud }, reads)
    expect(visited.code, visited.output).toBeOneOf([1, 3])
    expect(cookies).toEqual([])
  })
})
