import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { Trouble } from '../../helpers/outcome.ts'
import { answering, clientFor, closeAll } from './servers.ts'

afterAll(closeAll)

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`

/** Writes something again and again until the connection is closed. */
function trickle(socket: Socket, text: string, everyMs = 10) {
  const timer = setInterval(() => socket.write(text), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** What a service can do wrong, and what a person reads of it. */
const wrongs: [string, (socket: Socket) => void, string][] = [
  ['closes', (s) => s.end(), 'the connection was closed before an answer'],
  ['resets', (s) => s.resetAndDestroy(), 'the connection was reset before an answer'],
  ['says nothing', () => {}, 'no answer within 250 ms'],
  [
    'resets in the body',
    (s) =>
      s.write(`${ok}Content-Length: 100\r\n\r\nabc`, () =>
        setTimeout(() => s.resetAndDestroy(), 20),
      ),
    'the connection was reset in the body',
  ],
  [
    'says nothing after the head',
    (s) => s.write(`${ok}Content-Length: 100\r\n\r\n`),
    'nothing more of the body came within 250 ms',
  ],
  [
    'sends a byte at a time for ever',
    (s) => {
      s.write(`${ok}Content-Length: 100000\r\n\r\n`)
      trickle(s, 'x', 50)
    },
    'not answered in full within 1 s',
  ],
  [
    'sends headers for ever',
    (s) => {
      s.write(ok)
      trickle(s, 'x-more: and more\r\n', 50)
    },
    'no answer within 250 ms',
  ],
  [
    'sends headers for ever, quickly',
    (s) => {
      s.write(ok)
      s.write(`x-more: ${'and more '.repeat(200)}\r\n`.repeat(20))
    },
    'the headers of the answer are larger than 16 kB',
  ],
  [
    'sends 103 for ever',
    (s) => trickle(s, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', 50),
    'no answer within 250 ms',
  ],
  [
    'sends less than its Content-Length',
    (s) => s.end(`${ok}Content-Length: 100\r\nConnection: close\r\n\r\nabc`),
    'the body has not the length that its Content-Length says',
  ],
  [
    'sends less than its Content-Length on a connection to be kept',
    (s) => s.end(`${ok}Content-Length: 100\r\n\r\nabc`),
    'the connection was closed in the body',
  ],
  [
    'breaks its chunks',
    (s) => s.write(`${chunked}5\r\nhello\r\nnot a size\r\n`),
    'the body is not framed as HTTP says (Invalid character in chunk size)',
  ],
  [
    'ends amid its chunks',
    (s) => s.end(`${chunked}5\r\nhello\r\n`),
    'the connection was closed in the body',
  ],
  [
    'speaks no HTTP',
    (s) => s.write('220 mail.example ESMTP\r\n'),
    'what came was not HTTP (Expected HTTP/, RTSP/ or ICE/)',
  ],
  [
    'upgrades',
    (s) => s.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    'what came was no answer to the request',
  ],
  [
    'sends corrupt gzip',
    (s) => s.write(`${ok}Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello`),
    'the answer is not valid gzip',
  ],
]

const bomb = gzipSync(Buffer.alloc(40 * 1048576))

/** Apart from the others, for they keep the event loop busy. */
const floods: typeof wrongs = [
  [
    'sends a bomb',
    (s) => {
      s.write(`${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
      s.write(bomb)
    },
    'the answer inflates beyond 32 MB',
  ],
  [
    'sends too much',
    (s) => {
      s.write(`${ok}Content-Type: application/json\r\nConnection: close\r\n\r\n`)
      s.end(Buffer.alloc(33 * 1048576, ' '))
    },
    'the answer is larger than 32 MB',
  ],
]

async function told([, send, message]: (typeof wrongs)[number], timeoutMs: number) {
  const { url } = await answering(send)
  const { client, exchanges } = clientFor(url, { timeoutMs })
  const asked = client.ask({ method: 'GET', path: '/tasks/1', retries: false })
  const error = await asked.catch((error) => error)
  expect(error).toBeInstanceOf(Trouble)
  expect(error.message).toBe(`GET /tasks/1: ${message}`)
  expect(exchanges).toHaveLength(1)
  expect(exchanges[0]?.trouble).toBe(message)
  expect(exchanges[0]?.body).toBeUndefined()
}

describe.concurrent('a service that', () => {
  test.for(wrongs)('%s', (wrong) => told(wrong, 250))
})

describe('a service that', () => {
  test.for(floods)('%s', (flood) => told(flood, 10_000))
})
