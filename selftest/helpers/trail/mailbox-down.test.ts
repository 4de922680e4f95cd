import { createServer, type RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { check } from '../../../program/check.ts'
import { createInterruption } from '../../../program/run/interruption.ts'
import { listening } from '../../engine/http/servers.ts'
import { warm } from '../../proofs/threads/warm-threads.ts'
import { atTestEnd } from '../../test-end.ts'
import { lendService } from '../loans/lent-service.ts'

/** A run with a mailbox that is no use, from the start or after some requests. */
async function runWith(listener: RequestListener | undefined) {
  const lent = await lendService()
  const server = createServer(listener)
  const port = await listening(server)
  if (!listener) server.close()
  atTestEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = `http://127.0.0.1:${port}`
  let output = ''
  const start = performance.now()
  const checked = await check({
    argv: ['--clauses', 'notify.*,assign.unassigned-to-user'],
    env: {
      ...lent.env,
      MAILBOX_URL: address,
      TIMEOUT_MS: '1000',
      AUDIT_WAIT_S: '0',
      MAIL_WAIT_S: '1',
    },
    cwd: lent.place,
    out: { write: (text: string) => (output += text) },
    interruption: createInterruption(),
    runner: warm(),
  })
  expect(await lent.changed(), output).toEqual([])
  return { ...checked, output, address, seconds: (performance.now() - start) / 1000 }
}

const noMails: RequestListener = (_, outgoing) =>
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"messages":[]}')

/** Answers well at first. */
const later = (act: RequestListener): RequestListener => {
  let count = 0
  return (incoming, outgoing) => {
    count += 1
    return (count > 1 ? act : noMails)(incoming, outgoing)
  }
}

const reset: RequestListener = ({ socket }) => socket.resetAndDestroy()
const silence: RequestListener = () => {}

describe.concurrent('a mailbox that is of no use is trouble, and no breach:', () => {
  test.for<[what: string, RequestListener | undefined, why: string]>([
    ['nobody listens there', undefined, 'connection refused'],
    ['it does not answer', silence, 'no answer within 1 s'],
    ['it falls silent', later(silence), 'no answer within 1 s'],
    ['it breaks off', later(reset), 'the connection was reset'],
    ['it fails', (_, outgoing) => outgoing.writeHead(503).end(), 'answered 503 (3 attempts)'],
    ['it is a page', (_, outgoing) => outgoing.end('<p>hello'), ': no JSON object'],
  ])('%s', async ([, listener, why]) => {
    const { report, exitCode, output, address, seconds } = await runWith(listener)
    expect(exitCode, output).toBe(3)
    const mailed = report?.clauses.filter(({ id }) => id.startsWith('notify.')) ?? []
    const verdicts = new Set(mailed.map(({ verdict }) => verdict))
    expect([...verdicts], output).toEqual(['inconclusive'])
    const others = report?.clauses.filter(({ id }) => !id.startsWith('notify.')) ?? []
    expect(others.map(({ verdict }) => verdict)).toContain('pass')
    // One sentence for all of these clauses.
    expect(output.split(`MAILBOX_URL ${address}/ cannot be read (`), output).toHaveLength(2)
    expect(output).toContain(why)
    expect(seconds).toBeLessThan(30)
  })
})
