import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { answering, httpServer } from '../engine/http/servers.ts'
import { sampleOf } from '../sample.ts'
import { floods, wrongs } from './on-the-line.ts'
import { anId, visit } from './visit.ts'

const { LONG, LONG_SEED = '1' } = process.env
/** `npm test` starts the program for some of each kind, `npm run long` for all. */
const some = <T>(list: readonly T[]): T[] =>
  LONG === 'all' ? [...list] : sampleOf(list, Math.ceil(list.length / 6), Number(LONG_SEED))

/** What a server answers to everything, and what the program then says. */
type Answering = [name: string, answer: RequestListener, says: RegExp]

const fixed =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_, answer) =>
    answer.writeHead(status, headers).end(body)

/** Whole answers by which nothing can be tested. */
// biome-ignore format: one server a line
const useless: Answering[] = [
  ['401', fixed(401), /^API_KEY is refused: BASE_URL \S+ answered 401/],
  ['404', fixed(404), /answers 404 to every id of TASK_IDS/],
  ['429 and asks to wait for an hour', fixed(429, { 'retry-after': '3600' }), /answers 429 to everything/],
  ['500', fixed(500), /answers 500 to everything: the service is not up/],
  ['503', fixed(503), /answers 503 to everything/],
  ['a login page', fixed(200, { 'content-type': 'text/html' }, '<!doctype html>'), /an HTML page/],
  ['a redirect to itself', (at, answer) => answer.writeHead(307, { location: at.url }).end(), /redirects to \/v5/],
]

/** A body of more than anybody can want, as fast as it is taken. */
const endless: RequestListener = (_, answer) => {
  answer.writeHead(200, { 'content-type': 'application/json' }).write('{"id":[')
  const more = () => {
    while (!answer.destroyed && answer.write('1,'.repeat(1 << 19)));
    if (!answer.destroyed) answer.once('drain', more)
  }
  more()
}

/** Which clock runs out first is not sure on a busy machine. */
const outOfTime =
  /: (no answer|nothing more of the body came|not answered in full) within \d+ m?s\./

/** The run cannot be made: one sentence says why, and the report says the same. */
async function expectNoRun(
  origin: string,
  says: RegExp | string,
  env: Record<string, string> = {},
) {
  const settings = { BASE_URL: `${origin}/v5`, TASK_IDS: anId, ...env }
  const { code, output, report } = await visit(settings)
  expect(code, output).toBe(2)
  expect(output.trim().split('\n'), output).toHaveLength(1)
  expect(output).toMatch(says)
  expect(report).toMatchObject({ verdict: 'inconclusive', clauses: [] })
  expect(report.reasons.join()).toMatch(says)
}

describe.concurrent('a server that, from the first request on,', () => {
  test.for(some(wrongs))('%s', async ([, send, message]) => {
    const { url } = await answering(send)
    if (message.includes(' within ')) await expectNoRun(url, outOfTime, { TIMEOUT_MS: '250' })
    // A reset may be seen as a close on a busy machine.
    else if (message.endsWith('reset in the body'))
      await expectNoRun(url, /: the connection was (reset|closed) in the body\./)
    else await expectNoRun(url, `: ${message}.`)
  })

  test.for(some(floods))('%s', async ([, send, message]) => {
    const { url } = await answering(send)
    await expectNoRun(url, `: ${message}.`)
  })

  test('sends endless JSON', async () => {
    await expectNoRun(await httpServer(endless), /the answer is larger than 2 MB/)
  })

  test('redirects with a head that orders the terminal about', async () => {
    const { url } = await answering((socket) =>
      socket.write(
        'HTTP/1.1 302 \u009b31m\r\nLocation: /\u009b2J\u202e\r\nContent-Length: 0\r\n\r\n',
      ),
    )
    await expectNoRun(url, /redirects to \/\S+: give the address/)
  })

  test.for(some(useless))('answers %s to everything', async ([, answer, says]) => {
    await expectNoRun(await httpServer(answer), says)
  })
})
