import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { poll } from '../../../engine/time/polling.ts'
import { watchDuring } from '../../../helpers/loans/watch-during.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import type { NamedStep } from '../../../helpers/updates/legs.ts'
import { type Mail, openMailbox } from '../../../helpers/watch/mailbox.ts'
import { cluesOf, matched, type Recipient, recipientsOf } from '../../../helpers/watch/mails.ts'
import { listening } from '../../engine/http/servers.ts'
import { untilTestEnd } from '../../test-end.ts'
import { mail, settings, steps } from './sent-mails.ts'

const never = new AbortController().signal

describe('polling', () => {
  test('looks once, where there is no time', async () => {
    let looks = 0
    const look = async () => ++looks
    expect(await poll(look, () => false, { limitMs: 0, stop: never })).toMatchObject({
      last: 1,
      met: false,
    })
    expect(looks).toBe(1)
  })

  test('looks until it is met, and at the very end of the time', async () => {
    let looks = 0
    const look = async () => ++looks
    const met = await poll(look, (n) => n === 3, { limitMs: 60_000, stop: never, firstMs: 1 })
    expect(met).toMatchObject({ last: 3, met: true })
    const late = await poll(look, () => false, { limitMs: 40, stop: never, firstMs: 1000 })
    expect(late.met).toBe(false)
    expect(late.last).toBeGreaterThanOrEqual(5)
    expect(late.milliseconds).toBeGreaterThanOrEqual(40)
  })

  test('ends with the run', async () => {
    const stopping = new AbortController()
    const waiting = poll(
      async () => 0,
      () => false,
      { limitMs: 60_000, stop: stopping.signal },
    )
    stopping.abort(new Error('the run was interrupted'))
    await expect(waiting).rejects.toThrow('the run was interrupted')
  })
})

describe('onlookers', () => {
  test('look before and after; what is done does not wait for what they see later', async () => {
    const done: string[] = []
    let finish = () => {}
    const later = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { acted, seen } = watchDuring(
      [
        async (act) => {
          done.push('one is ready')
          done.push(`one saw ${await act()}`)
          await later
          done.push('one has seen it all')
        },
        async () => {
          throw new Error('this one cannot look')
        },
      ],
      async () => {
        done.push('done')
        return 'it'
      },
    )
    expect(await acted).toBe('it')
    finish()
    await seen
    expect(done).toEqual(['one is ready', 'done', 'one saw it', 'one has seen it all'])
  })

  test('are told when it cannot be done', async () => {
    const seen: unknown[] = []
    const looking = watchDuring<never>(
      [(act) => act().catch((error) => seen.push(error.message))],
      async () => {
        throw new Error('no')
      },
    )
    await expect(looking.acted).rejects.toThrow('no')
    await looking.seen
    expect(seen).toEqual(['no'])
    await expect(watchDuring([], async () => 1).acted).resolves.toBe(1)
  })
})

describe('the mailbox', () => {
  /** A mailbox whose answers are what a test gives. */
  async function mailboxWith(answer: (path: string) => unknown, embedded = false) {
    const server = createServer((request, response) => {
      const given = answer(request.url ?? '')
      if (typeof given === 'number') response.writeHead(given).end('no')
      else response.end(typeof given === 'string' ? given : JSON.stringify(given))
    })
    const url = `http://127.0.0.1:${await listening(server)}/mails/`
    return untilTestEnd(openMailbox(url, { timeoutMs: 2000, stop: never, embedded }))
  }

  const summary = (n: number) => ({ ID: `m${n}`, Created: new Date(n * 1000).toISOString() })
  const page = (path: string, all: number[]) => {
    const { searchParams } = new URL(path, 'http://mailbox')
    const start = Number(searchParams.get('start'))
    return { messages: all.slice(start, start + Number(searchParams.get('limit'))).map(summary) }
  }
  const newestFirst = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, n) => from - n)

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

  test('passes over a mail that has been removed, and reads none twice', async () => {
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
    const [mail] = await mailbox.since({ ids: new Set(), newest: Number.NEGATIVE_INFINITY })
    expect(mail?.words).toContain('contract test,')
    expect(mail?.words).toContain('"please" ignore & go \u{10ffff}&#x110000;')
  })

  test.each([
    ['a page', '<html>', 'no JSON object'],
    ['a list of nothing', { total: 3 }, 'no list at /api/v1/messages'],
    ['a refusal', 403, '403 to GET /mails/api/v1/messages'],
    ['nothing there', 404, 'no list at /api/v1/messages'],
    ['without end', 'x'.repeat(5 * 1024 * 1024), 'an answer of more than 4 MiB'],
  ])('says what is wrong: %s', async (_, given, sentence) => {
    const mailbox = await mailboxWith(() => given)
    await expect(mailbox.mark()).rejects.toThrow(sentence)
    await expect(mailbox.mark()).rejects.toMatchObject({ name: 'Trouble' })
  })

  test('that is embedded names no setting', async () => {
    const mailbox = await mailboxWith(() => 403, true)
    const sentence = 'the embedded mailbox cannot be read (403 to GET /mails/api/v1/messages'
    await expect(mailbox.mark()).rejects.toThrow(sentence)
  })

  test('does not read without end', async () => {
    const mailbox = await mailboxWith((path) => page(path, newestFirst(5000, 1)))
    const since = mailbox.since({ ids: new Set(), newest: Number.NEGATIVE_INFINITY })
    await expect(since).rejects.toThrow('more than 1000 mails have come to MAILBOX_URL')
  })
})

describe('who was mailed', () => {
  const missing = (
    taken: NamedStep[],
    mails: Mail[],
    known = settings,
    otherTasks = ['other-task'],
  ) => {
    const recipients = recipientsOf(taken, known)
    const clues = cluesOf(taken, { task: 'this-task', otherTasks })
    const found = matched(recipients, mails, clues)
    const words = ({ name, addresses }: Recipient) => `${name} ${addresses?.join() ?? '?'}`
    return recipients.filter((one) => !found.has(one)).map(words)
  }

  test('each address of a team, and one of a user’s', () => {
    const taken = steps(['T1'], ['u2'], null)
    expect(missing(taken, [])).toEqual(['step 0 u1@x', 'step 0 t@x', 'step 1 u2@x,second@x'])
    expect(missing(taken, [mail('u1@x t@x', ''), mail('second@x', '')])).toEqual([])
    expect(missing(taken, [mail('u1@x', ''), mail('nobody@x', '')])).toEqual([
      'step 0 t@x',
      'step 1 u2@x,second@x',
    ])
  })

  test('one mail is not of two updates, unless it shows the comments of both', () => {
    const taken = steps(['U1', 'first'], null, ['U1', 'again'])
    expect(missing(taken, [mail('u1@x', '')])).toHaveLength(1)
    expect(missing(taken, [mail('u1@x', ''), mail('u1@x', '')])).toEqual([])
    expect(missing(taken, [mail('u1@x', 'again, and before: first')])).toEqual([])
  })

  test('a mail that shows a later comment is not of an update before', () => {
    const taken = steps(['U1'], ['U3', 'later'])
    expect(missing(taken, [mail('u1@x', 'later'), mail('u3@x', 'later')])).toEqual(['step 0 u1@x'])
    expect(missing(taken, [mail('u1@x', ''), mail('u3@x', 'later')])).toEqual([])
  })

  test('the one is missing after which no mail came', () => {
    const taken = steps(['U1'], ['U3', 'between'], ['T1'])
    const others = [mail('u3@x', 'between', 2700), mail('t@x', '', 3700)]
    expect(missing(taken, [...others, mail('u1@x', '', 1700)])).toEqual(['step 2 u1@x'])
    expect(missing(taken, [...others, mail('u1@x', '', 3700)])).toEqual(['step 0 u1@x'])
  })

  test('one is missing all the same where mails take longer than updates lie apart, perhaps another one', () => {
    const taken = steps(['U1'], ['U3', 'between'], ['T1'])
    const slow = mail('u3@x', 'between', 3700)
    expect(missing(taken, [slow, mail('t@x', '', 4700), mail('u1@x', '', 4700)])).toEqual([
      'step 0 u1@x',
    ])
    expect(missing(taken, [slow, mail('t@x', '', 3050), mail('u1@x', '', 3050)])).toEqual([
      'step 2 u1@x',
    ])
  })

  test('mails that name another task count only where no mail is seen to name its own', () => {
    const taken = steps(['U1'], ['U3', 'comment'])
    const of = (text: string) => [mail('u1@x', 'about other-task'), mail('u3@x', text)]
    expect(missing(taken, of('this-task: comment'))).toEqual(['step 0 u1@x'])
    expect(missing(taken, of('comment'))).toEqual([])
    expect(missing(taken, of(''))).toEqual([])
  })

  test('without addresses any mail counts, each once', () => {
    const unknown = { userMails: {}, teamMails: {} } as unknown as Settings
    const taken = steps(['U1'], ['T1'])
    expect(missing(taken, [mail('a@x', '')], unknown)).toHaveLength(1)
    expect(missing(taken, [mail('a@x', ''), mail('b@x', '')], unknown)).toEqual([])
  })
})
