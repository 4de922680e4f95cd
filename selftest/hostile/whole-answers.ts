import type { RequestListener, ServerResponse } from 'node:http'

/** What a server answers to everything, and what the program then says. */
export type Answering = [name: string, answer: RequestListener, says: RegExp]

const json = { 'content-type': 'application/json' }

const fixed =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_, answer) =>
    answer.writeHead(status, headers).end(body)

/** Whole answers by which nothing can be tested. */
export const useless: Answering[] = [
  ['401', fixed(401), /^API_KEY is refused: BASE_URL \S+ answered 401/],
  ['404', fixed(404), /answers 404 to every id of TASK_IDS/],
  [
    '429 and asks to wait for an hour',
    fixed(429, { 'retry-after': '3600' }),
    /answers 429 to everything/,
  ],
  ['500', fixed(500), /answers 500 to everything: the service is not up/],
  ['502', fixed(502), /answers 502 to everything/],
  ['503', fixed(503), /answers 503 to everything/],
  ['a login page', fixed(200, { 'content-type': 'text/html' }, '<!doctype html>'), /an HTML page/],
  [
    'a redirect to itself',
    (at, answer) => answer.writeHead(307, { location: at.url }).end(),
    /redirects to \/v5/,
  ],
]

/** Sends a body piece by piece, as fast as it is taken, for ever or so many times. */
function flood(answer: ServerResponse, piece: string, times = Number.POSITIVE_INFINITY) {
  let sent = 0
  const more = () => {
    while (sent < times && !answer.destroyed) {
      sent += 1
      if (!answer.write(piece)) return answer.once('drain', more)
    }
    return answer.end()
  }
  more()
}

const megabyte = `${'1,'.repeat(1 << 19)}`

/** Bodies of more than anybody can want. */
export const endless: Answering[] = [
  [
    'endless JSON',
    (_, answer) => {
      answer.writeHead(200, json).write('{"id":[')
      flood(answer, megabyte)
    },
    /the answer is larger than 2 MB/,
  ],
  [
    '300 MB of JSON, whole',
    (_, answer) => {
      answer.writeHead(200, json).write('{"id":[')
      flood(answer, megabyte, 300)
    },
    /the answer is larger than 2 MB/,
  ],
]
