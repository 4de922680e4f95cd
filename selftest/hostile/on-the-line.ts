import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`

/** Writes something repeatedly until the connection is closed, optionally after a head. */
function trickle(socket: Socket, text: string, head = '') {
  if (head) socket.write(head)
  const timer = setInterval(() => socket.write(text), 50)
  socket.on('close', () => clearInterval(timer))
}

/** What a server does with each request, and the message of the report with TIMEOUT_MS 1000. */
export type Wrong = [name: string, send: (socket: Socket) => void, message: string]

/** Everything that can go wrong between the request and the end of its answer. */
// biome-ignore format: one server a line
export const wrongs: Wrong[] = [
  ['closes', (s) => s.end(), 'the connection was closed before a response'],
  ['resets', (s) => s.resetAndDestroy(), 'the connection was reset before a response'],
  ['says nothing', () => {}, 'no response within 1 s'],
  ['resets in the body', (s) => s.write(`${ok}Content-Length: 100\r\n\r\nabc`, () => setTimeout(() => s.resetAndDestroy(), 20)), 'the connection was reset in the body'],
  ['says nothing after the head', (s) => s.write(`${ok}Content-Length: 100\r\n\r\n`), 'nothing more of the body came within 1 s'],
  ['sends a byte at a time for ever', (s) => trickle(s, 'x', `${ok}Content-Length: 100000\r\n\r\n`), 'no full response within 1.3 s'],
  ['sends headers for ever', (s) => trickle(s, 'x-more: and more\r\n', ok), 'no response within 1 s'],
  ['sends headers for ever, quickly', (s) => s.write(`${ok}${`x-more: ${'and more '.repeat(200)}\r\n`.repeat(20)}`), 'the headers of the response are larger than 16 kB'],
  ['sends 103 for ever', (s) => trickle(s, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'), 'no response within 1 s'],
  ['sends less than its Content-Length', (s) => s.end(`${ok}Content-Length: 100\r\nConnection: close\r\n\r\nabc`), 'the length of the body is not its Content-Length'],
  ['sends less than its Content-Length on a connection to be kept', (s) => s.end(`${ok}Content-Length: 100\r\n\r\nabc`), 'the connection was closed in the body'],
  ['breaks its chunks', (s) => s.write(`${chunked}5\r\nhello\r\nnot a size\r\n`), 'the body is not framed as HTTP requires (Invalid character in chunk size)'],
  ['ends amid its chunks', (s) => s.end(`${chunked}5\r\nhello\r\n`), 'the connection was closed in the body'],
  ['speaks no HTTP', (s) => s.write('220 mail.example ESMTP\r\n'), 'the response is not HTTP (Expected HTTP/, RTSP/ or ICE/)'],
  ['upgrades', (s) => s.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'), 'the response does not belong to the request'],
  ['sends corrupt gzip', (s) => s.write(`${ok}Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello`), 'the response is not valid gzip'],
]

const bomb = gzipSync(Buffer.alloc(40 * 1048576))

/** Servers that send too much: apart from the others, because they keep the event loop busy. */
// biome-ignore format: one server a line
export const floods: Wrong[] = [
  ['sends a bomb', (s) => s.write(`${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`) && s.write(bomb), 'the response inflates beyond 2 MB'],
  ['sends too much', (s) => s.write(`${ok}Connection: close\r\n\r\n`) && s.end(Buffer.alloc(4 * 1048576, ' ')), 'the response is larger than 2 MB'],
]
