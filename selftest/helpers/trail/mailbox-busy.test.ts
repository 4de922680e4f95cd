import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { openMailbox } from '../../../helpers/trail/mailbox.ts'
import { listening } from '../../engine/http/servers.ts'
import { atTestEnd } from '../../test-end.ts'

/** A mailbox that sends away every request but those of these numbers; it counts them. */
async function openBusy(isAnswered: (request: number) => boolean) {
  let requests = 0
  const server = createServer((_, outgoing) => {
    requests += 1
    if (isAnswered(requests)) outgoing.end('{"messages":[]}')
    else outgoing.writeHead(429, { 'retry-after': '0' }).end()
  })
  const port = await listening(server)
  const given = { timeoutMs: 1000, stop: new AbortController().signal }
  const mailbox = openMailbox(`http://127.0.0.1:${port}`, given)
  atTestEnd(async () => {
    await mailbox.close()
    server.close()
  })
  return { mailbox, asked: () => requests }
}

test('a mailbox that is asked too often is asked again', async () => {
  const { mailbox } = await openBusy((request) => request % 3 === 0)
  expect([...(await mailbox.mark()).ids]).toEqual([])
})

test('one that sends everybody away is waited for once', async () => {
  const { mailbox, asked } = await openBusy(() => false)
  await expect(mailbox.mark()).rejects.toThrow('429 to GET /api/v1/messages')
  const before = asked()
  await expect(mailbox.mark()).rejects.toThrow('429 to GET /api/v1/messages')
  expect(asked() - before).toBe(1)
})
