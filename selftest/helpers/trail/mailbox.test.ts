import { createServer, type RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openMailbox } from '../../../helpers/trail/mailbox.ts'
import { listening } from '../../engine/http/servers.ts'
import { untilTestEnd } from '../../test-end.ts'

const stop = new AbortController().signal
const fromStart = { ids: new Set<string>(), newest: Number.NEGATIVE_INFINITY }

/** A mailbox with a test's answers: a status, a text, or a value. */
async function mailboxWith(answer: (path: string, request: number) => unknown) {
  let requests = 0
  const listener: RequestListener = ({ url = '' }, response) => {
    requests += 1
    const given = answer(url, requests)
    if (typeof given === 'number') response.writeHead(given, { 'retry-after': '0' }).end('no')
    else response.end(typeof given === 'string' ? given : JSON.stringify(given))
  }
  const url = `http://127.0.0.1:${await listening(createServer(listener))}/mails/`
  const mailbox = untilTestEnd(openMailbox(url, { timeoutMs: 2000, stop, embedded: false }))
  return { ...mailbox, requests: () => requests }
}

const summary = (n: number) => ({ ID: `m${n}`, Created: new Date(n * 1000).toISOString() })
const page = (path: string, all: number[]) => {
  const { searchParams } = new URL(path, 'http://mailbox')
  const start = Number(searchParams.get('start'))
  return { messages: all.slice(start, start + Number(searchParams.get('limit'))).map(summary) }
}
const newestFirst = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => from - n)

describe('the mailbox', () => {
  test('gives what has come since, however many pages there are', async () => {
    let all = newestFirst(250, 1)
    const mailbox = await mailboxWith((path) =>
      path.startsWith('/mails/api/v1/messages')
        ? page(path, all)
        : { To: [{ Address: 'Ada@Example.com' }], Subject: path.split('/').at(-1) },
    )
    const mark = await mailbox.mark()
    expect(await mailbox.since(mark)).toEqual([])
    all = newestFirst(380, 1)
    const mails = await mailbox.since(mark)
    expect(mails.map(({ words }) => words)).toEqual(newestFirst(380, 251).map((n) => `m${n}`))
    expect(mails[0]).toMatchObject({ to: ['ada@example.com'], created: 380_000 })
  })

  test('skips a removed mail, and reads none twice', async () => {
    const asked: string[] = []
    const mailbox = await mailboxWith((path) => {
      asked.push(path)
      if (path.includes('/messages')) return page(path, asked.length > 1 ? [3, 2, 1] : [1])
      return path.endsWith('m2') ? 404 : { Subject: 'new' }
    })
    const mark = await mailbox.mark()
    expect((await mailbox.since(mark)).map(({ id }) => id)).toEqual(['m3'])
    await mailbox.since(mark)
    expect(asked.filter((path) => path.endsWith('m3'))).toHaveLength(1)
  })

  test('reads marked up text with and without the markup', async () => {
    const html =
      '<p>Contract&#32;te<b>st</b>,</p><p>&quot;please&quot;&nbsp;ignore &amp; go &#x10ffff;&#x110000;</p>'
    const mailbox = await mailboxWith((path) =>
      path.includes('/messages') ? page(path, [1]) : { Subject: 'S', HTML: html, Text: 7 },
    )
    const [mail] = await mailbox.since(fromStart)
    expect(mail?.words).toContain('contract test,')
    expect(mail?.words).toContain('"please" ignore & go \u{10ffff}&#x110000;')
  })

  test.each([
    ['a page', '<html>', 'no JSON object'],
    ['a list of nothing', { total: 3 }, 'no list at /api/v1/messages'],
    ['a refusal', 403, '/api/v1/messages?start=0&limit=100: 403'],
    ['nothing there', 404, 'no list at /api/v1/messages'],
    ['without end', 'x'.repeat(5 * 1024 * 1024), 'the response is larger than 2 MB'],
  ])('says what is wrong, and is not asked again: %s', async (_, given, sentence) => {
    const mailbox = await mailboxWith(() => given)
    await expect(mailbox.mark()).rejects.toThrow(sentence)
    const asked = mailbox.requests()
    await expect(mailbox.since(fromStart)).rejects.toMatchObject({ name: 'Trouble' })
    expect(mailbox.requests()).toBe(asked)
  })

  test('stops reading after a limit', async () => {
    const mailbox = await mailboxWith((path) => page(path, newestFirst(5000, 1)))
    await expect(mailbox.since(fromStart)).rejects.toThrow('it contains more than 1000 new emails')
  })

  test('that is asked too often is asked again', async () => {
    const mailbox = await mailboxWith((_, request) => (request % 3 === 0 ? { messages: [] } : 429))
    expect([...(await mailbox.mark()).ids]).toEqual([])
  })
})
