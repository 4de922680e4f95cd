import { createServer, type IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { watchRate } from '../../../engine/http/rate.ts'
import type { Report } from '../../../engine/run/report.ts'
import { environmentFor } from '../../../program/stand-in/settings-for.ts'
import { listen } from '../../../reference/listen.ts'
import { createMailbox, type Mailbox } from '../../../reference/mail/mailbox.ts'
import { mailboxApi } from '../../../reference/mail/mailbox-listen.ts'
import type { open } from '../../../reference/rules/open.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { listening } from '../../engine/http/servers.ts'
import type { Bent } from '../../proofs/fault.ts'
import { brokenIn, runAgainst, runProgram } from '../../proofs/prove.ts'
import { untilTestEnd } from '../../test-end.ts'

const world = makeWorld(1, { events: 100 })
const only = ['--clauses', 'notify.*']

/** A mailbox somewhere else, and what is asked of it. */
async function serveMailbox(mailbox: Mailbox) {
  const asked: IncomingMessage[] = []
  const api = mailboxApi(mailbox)
  const server = createServer(async (request, response) => {
    asked.push(request)
    const answer = await api(new Request(`http://mailbox${request.url}`))
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  return { url: `http://127.0.0.1:${await listening(server)}`, asked }
}

/** Runs the program against somebody's service with a mailbox beside it. */
async function runBesideMailbox(
  env: Record<string, string | undefined> = {},
  rules: Partial<Stated> = {},
) {
  const mailbox = createMailbox()
  const service = createService({
    world,
    stated: { ...stated, ...rules },
    mailer: mailbox.deliver,
  })
  const front = untilTestEnd(await listen(service))
  const mails = await serveMailbox(mailbox)
  const waits = { SETTLE_MS: '60', MAIL_WAIT_S: '0', AUDIT_WAIT_S: '0', MAILBOX_URL: mails.url }
  const settings = {
    BASE_URL: front.baseUrl,
    SEED: '1',
    ...environmentFor({ world }),
    ...waits,
    ...env,
  }
  const given = Object.entries(settings).filter(
    (each): each is [string, string] => each[1] !== undefined,
  )
  return { asked: mails.asked, ...(await runProgram(Object.fromEntries(given), only)) }
}

/** The verdict on each must, or its cause. */
const mustsOf = (report: Report | undefined) =>
  Object.fromEntries(
    (report?.clauses ?? [])
      .filter(({ level }) => level === 'must')
      .map(({ id, verdict, cause }) => [id, cause ?? verdict]),
  )

/** What a mail holds that has nothing to do with the service. */
const lunch = { subject: 'Lunch', text: 'Soup', html: '' }

describe('a mailbox', () => {
  test('is only read, and never sent the key', async () => {
    const { asked, exitCode, output } = await runBesideMailbox()
    expect(exitCode, output).toBe(0)
    expect(asked.length).toBeGreaterThan(3)
    for (const { method, rawHeaders, url } of asked) {
      expect(method).toBe('GET')
      expect(`${url} ${rawHeaders.join(' ')}`).not.toContain(world.apiKey)
    }
  })

  test('does for users where nobody’s address is known, by mails that name an update', async () => {
    const unknown = { USER_MAILS: '', TEAM_MAILS: '' }
    const { exitCode, output, report } = await runBesideMailbox(unknown)
    expect(exitCode, output).toBe(0)
    expect(mustsOf(report)).toEqual({
      'notify.user': 'pass',
      'notify.team-members': 'setting',
      'notify.reassigned': 'setting',
    })
    expect(output).toContain('set TEAM_MAILS: mails came, but their recipients are unknown')
    const silent = {
      mailed: ({ sent, users }: Parameters<Stated['mailed']>[0]) =>
        users.filter(({ id }) => sent.assigned_to_type === 'USER' && id === sent.assigned_to_id),
    }
    const faulty = await runBesideMailbox(unknown, silent)
    expect(brokenIn(faulty), faulty.output).toEqual([
      'notify.all',
      'notify.reassigned',
      'notify.team-members',
    ])
  })

  test('does not where one address is mailed for everybody, and no address is known', async () => {
    const unknown = { USER_MAILS: '', TEAM_MAILS: '' }
    const toWhoAssigns = {
      mailed: ({ sent, users }: Parameters<Stated['mailed']>[0]) =>
        users.filter(({ id }) => id === sent.assigned_by_id),
    }
    const { output, report } = await runBesideMailbox(unknown, toWhoAssigns)
    expect(Object.values(mustsOf(report)), output).toEqual(['setting', 'setting', 'setting'])
    expect(output).toContain('set USER_MAILS: mails came, but their recipients are unknown')
    const noise = await runBesideMailbox(unknown, { mails: ({ mail }) => [{ ...mail, ...lunch }] })
    expect(Object.values(mustsOf(noise.report))).toEqual(['setting', 'setting', 'setting'])
    expect(noise.output).toContain('none shows a comment or a task of this run')
  })

  test('to which no mail of the service comes decides nothing', async () => {
    const { exitCode, output } = await runBesideMailbox({}, { mailed: () => [] })
    expect(exitCode).toBe(3)
    expect(output).toContain('none from the service; check that MAILBOX_URL is its mailbox')
  })

  test.each([
    ['where nobody listens', 'http://127.0.0.1:9'],
    ['that is something else', 'service'],
  ])('%s decides nothing', async (_, url) => {
    const elsewhere = await serveMailbox(createMailbox())
    const env = { MAILBOX_URL: url === 'service' ? `${elsewhere.url}/v5` : url }
    const { exitCode, output } = await runBesideMailbox(env)
    expect(exitCode).toBe(3)
    expect(output).toMatch(/the mailbox at MAILBOX_URL http.* cannot be read \(.*\): is it up/)
  })

  test('is waited for no longer than it takes, and as long as it may take', async () => {
    // To wait for all of it would take longer than a test may.
    const { exitCode } = await runBesideMailbox({ MAIL_WAIT_S: '600' })
    expect(exitCode).toBe(0)
    const { output } = await runBesideMailbox({ MAIL_WAIT_S: '1' }, { mailed: () => [] })
    expect(output).toContain('during the run')
  })

  test('is not missed where there is none', async () => {
    const { output } = await runBesideMailbox({ MAILBOX_URL: undefined })
    expect(output).toContain('set MAILBOX_URL: where the mails of the service can be read')
  })
})

describe('the trail', () => {
  test('is not asked for where the key may not export', async () => {
    const bent = { open: { permits: ({ op }: { op: string }) => op !== 'export' } }
    const { report } = await runAgainst(bent, ['--clauses', 'audit.*'])
    for (const { verdict, reason } of report?.clauses ?? []) {
      expect(verdict).toBe('skip')
      expect(reason).toContain('answered 403: the key may not')
    }
  })
})

describe('silences', () => {
  test('are told the same way in every run', async () => {
    const observed = async (bent: Bent) => {
      const clauses = ['--clauses', 'audit.*,notify.*,versioning.*,limits.*']
      const { report } = await runAgainst({ events: 100, ...bent }, clauses)
      const seen = report?.clauses.filter(({ level }) => level === 'observe') ?? []
      return Object.fromEntries(seen.map(({ id, observed }) => [id, observed]))
    }
    const plain = {
      'audit.refused-not-recorded': 'none',
      // A busy machine may take its time.
      'audit.delay': expect.stringMatching(/^< 10? s$/),
      'notify.unassigned': 'nobody',
      'notify.others': { others: ['nobody'], twice: 'nobody' },
      'notify.refused': 'nobody',
      'versioning.path': { base: 'ends in /v5', without: 404 },
      'limits.rate': { tooMany: 'not met', retryAfter: [], headers: [] },
    }
    expect(await observed({})).toEqual(plain)
    const former = ({ task, kind, users }: Parameters<typeof open.alsoMailed>[0]) =>
      users.filter(({ id }) => kind === 'unassigned' && id === task.assignment?.assigned_to_id)
    const other = await observed({
      open: {
        refusalLeaves: () => ['event', 'mail'],
        alsoMailed: former,
        headers: () => ({ 'x-ratelimit-limit': '30' }),
      },
    })
    expect(other).toEqual({
      ...plain,
      'audit.refused-not-recorded': { events: 'one', comment: true },
      'notify.unassigned': 'who was assigned',
      'notify.refused': 'who would have been assigned',
      'limits.rate': { tooMany: 'not met', retryAfter: [], headers: ['x-ratelimit-limit'] },
    })
  })

  test('rate limiting is told by its forms, with some of the answers', () => {
    const rate = watchRate()
    expect(rate.isIdle).toBe(true)
    const tooMany = (headers: Record<string, string>) =>
      rate.see({ status: 429, headers } as unknown as Exchange)
    tooMany({ 'retry-after': '3' })
    tooMany({ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' })
    tooMany({ 'x-ratelimit-reset': '3', RateLimit: 'limit=10' })
    tooMany({})
    rate.see({ status: 200 } as Exchange)
    expect(rate.seen()).toEqual({
      tooMany: 'met',
      retryAfter: ['a date', 'none', 'seconds'],
      headers: ['ratelimit', 'x-ratelimit-reset'],
    })
    expect(rate.evidence).toHaveLength(3)
  })
})
