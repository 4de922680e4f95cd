import { createServer, type RequestListener } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Settings } from '../../../helpers/settings/table.ts'
import { type Mail, openMailbox } from '../../../helpers/trail/mailbox.ts'
import {
  type Mailing,
  matched,
  type Recipient,
  recipientsOf,
  whyUntied,
} from '../../../helpers/trail/mails.ts'
import { wordsOf } from '../../../helpers/trail/traces.ts'
import type { NamedStep } from '../../../helpers/updates/sequence.ts'
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

const userMails = { U1: ['u1@x'], U2: ['u2@x', 'second@x'], U3: ['u3@x'] }
const settings = { userMails, teamMails: {} } as unknown as Settings

const steps = (...to: ([id: string, comment?: string] | null)[]): NamedStep[] =>
  to.map((sent, n) => {
    const [id = '', comment] = sent ?? []
    const assignee = sent && { id, type: id.startsWith('T') ? 'TEAM' : 'USER' }
    const start = new Date((n + 1) * 1000).toISOString()
    const step = {
      sent: { to: assignee, comment },
      answer: { status: 200 },
      evidence: [{ method: 'PUT', start }],
    }
    return { name: `step ${n}`, step: step as unknown as NamedStep['step'] }
  })

let count = 0
const mail = (to: string, text: string, created = 9000): Mail => ({
  id: `${count++}`,
  created,
  to: to.split(' '),
  words: wordsOf(text),
})

const missing = (taken: NamedStep[], mails: Mail[]) => {
  const recipients = recipientsOf(taken, settings)
  const found = matched(recipients, mails, { taken, task: 'this-task', otherTasks: ['other-task'] })
  const words = ({ name, addresses }: Recipient) => `${name} ${addresses?.join() ?? '?'}`
  return recipients.filter((one) => !found.has(one)).map(words)
}

test('where all mails went to one address, the reason says so', () => {
  const whyOf = (...to: string[]) =>
    whyUntied(
      recipientsOf(steps(['U1'], ['U2'], ['U3']), { userMails: {}, teamMails: {} } as never).map(
        (one, at) => ({
          ...(one as Mailing),
          isFound: true,
          mail: mail(to[at] ?? '', ''),
        }),
      ),
    )
  expect(whyOf('all@x', 'all@x', 'all@x')).toEqual([
    'setting',
    'set USER_MAILS: all 3 emails went to one address, for every assignee',
    { set: ['USER_MAILS'] },
  ])
  expect(whyOf('u1@x', 'all@x', 'all@x')?.[1]).toContain('their recipients are unknown')
})

/** Assignments, each to a new assignee, some with a comment, and a mail of each to one address. */
const sequences = fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }).map((commented) => {
  const people = commented.map((_, at) => ['U1', 'U2', 'U3'][at % 3] as string)
  const taken = steps(
    ...people.map((id, at): [string, string?] => (commented[at] ? [id, `comment (${at})`] : [id])),
  )
  const mails = people.map((id, at) =>
    mail(`${id.toLowerCase()}@x`, commented[at] ? `comment (${at})` : '', (at + 1) * 1000 + 100),
  )
  return { taken, mails }
})
const shuffled = (mails: Mail[]) => fc.shuffledSubarray(mails, { minLength: mails.length })

test('who was mailed: all but the one whose mail did not come, in any order of their mails', () => {
  const drawn = sequences.chain(({ taken, mails }) =>
    fc.tuple(fc.constant(taken), fc.constant(mails), fc.nat(), shuffled(mails)),
  )
  fc.assert(
    fc.property(drawn, ([taken, mails, n, listed]) => {
      expect(missing(taken, listed)).toEqual([])
      const lost = n % mails.length
      const [first = '', ...more] = missing(taken, mails.toSpliced(lost, 1))
      expect(more).toEqual([])
      expect(first).toContain(recipientsOf(taken, settings)[lost]?.addresses?.join())
    }),
  )
})
