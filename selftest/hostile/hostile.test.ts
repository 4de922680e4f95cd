import { describe, expect, test } from 'vitest'
import { makeWorld } from '../../reference/world/world.ts'
import { type Between, lendService } from '../helpers/loans/lent-service.ts'
import { failedIn, lendBehind, visit } from './visit.ts'

/** Text that an attacker stores, hoping that some program obeys it. */
const hostileTexts = (key: string) => [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u001b[2J\u001b[31mowned\u001b]0;owned\u0007',
  '\u009b31m\u0000\u0008\u007f\r\nowned',
  '\u202egpj.exe\u2066',
  '::error::owned\n::set-output name=x::y',
  '##vso[task.complete result=Succeeded]',
  "=cmd|' /C calc'!A0",
  '@SUM(1+1)*cmd',
  "'; DROP TABLE tasks; --",
  `$${'{jndi:ldap://127.0.0.1:9/x}'}`,
  ']]>&lol;<!-- --><![CDATA[',
  '%s%n%x {{7*7}} $(reboot) `reboot`',
  '\ud800 lone',
  `the key is ${key}`,
  Buffer.from(`apikey:${key}`).toString('base64'),
  encodeURIComponent(key),
  [...key].map((char) => `&#${char.charCodeAt(0)};`).join(''),
]

function hostileSource(key: string): () => string {
  const texts = hostileTexts(key)
  let turn = 0
  return () => texts[turn++ % texts.length] as string
}

/** Replaces every string of a JSON value, except under the kept names. */
function defaced(value: unknown, next: () => string, keep: readonly string[] = []): unknown {
  if (typeof value === 'string') return next()
  if (Array.isArray(value)) return value.map((item) => defaced(item, next, keep))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    keep.includes(name) ? member : defaced(member, next, keep),
  ])
  return { ...Object.fromEntries(members), [next()]: next() }
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

function hostileCsv(rows: number, next: () => string): string {
  const line = () => Array.from({ length: 5 }, () => cell(next())).join(',')
  return Array.from({ length: rows + 1 }, line).join('\r\n')
}

/** Heads of refusals that Node would not write: one that HTTP forbids, and one that it allows. */
const hostileHeads = (key: string) =>
  ['\u001b[2J\u001b[31m', '\u009b2J\u202e<script>alert(1)</script>'].map((order) =>
    [
      `HTTP/1.1 404 ${order} ${key}`,
      'Content-Length: 0',
      `X-Order: ${order}`,
      `X-Echo: ${key}`,
      `Set-Cookie: session=${key}; Path=/`,
      `${key.replaceAll(/[^a-z0-9-]/gi, '')}: ${encodeURIComponent(key)}`,
      `Location: javascript:alert(1)//${order}`,
      '',
      '',
    ].join('\r\n'),
  )

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** The same object with members that mislead careless readers: nothing that breaks the contract. */
function disguised(json: string): Buffer {
  const members = json.replace(/^\s*\{/, '')
  const odd = [
    '"id":"another one"',
    '"__proto__":{"id":"nobody","status":7}',
    '"constructor":{"prototype":{"id":null}}',
    '"toString":1,"hasOwnProperty":2,"then":3,"length":1e400',
    `"nested":${deep(150)}`,
    `"many":[${'0,'.repeat(20_000)}0]`,
    '"number":1234567890123456789012345678901234567890.5e-300',
  ]
  return Buffer.concat([
    Buffer.from(`{${odd.join(',')},"not utf-8":"`),
    Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
    Buffer.from(`",${members}`),
  ])
}

const reads = [
  '--clauses',
  'task.read.*,assessment.read.*,auth.*.task.read,export.csv.*,export.filter.auditee_id.*',
  '--verbose',
]
/** Of the lent service, whose world holds hostile text too. */
const { apiKey } = makeWorld(1)
const loud = { BODIES: 'all', TIMEOUT_MS: '5000' }

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
