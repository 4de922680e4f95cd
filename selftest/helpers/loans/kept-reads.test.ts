import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openJournal } from '../../../helpers/loans/journal.ts'
import { settleDebts } from '../../../helpers/loans/settle-debts.ts'
import type { Assignment, Task } from '../../../helpers/service/answers.ts'
import { updateBody } from '../../../helpers/service/update-request.ts'
import { check } from '../../../program/check.ts'
import { restore } from '../../../program/restore.ts'
import { createInterruption } from '../../../program/run/interruption.ts'
import { settingsFor } from '../../engine/http/servers.ts'
import { warm } from '../../proofs/threads/warm-threads.ts'
import { type Lent, lendService } from './lent-service.ts'

const stranger = 'aaaaaaaa-1111-4222-8333-444444444444'

type Between = NonNullable<Parameters<typeof lendService>[0]>['between']

/** A service whose reads of a task all show what the first one showed: a cache that is never refreshed. */
async function lendCached({
  between = (request, next) => next(request),
}: {
  between?: Between
} = {}) {
  const kept = new Map<string, Promise<string>>()
  return lendService({
    between: async (request, next) => {
      const { pathname } = new URL(request.url)
      const isRead = request.method === 'GET' && pathname.includes('/tasks/')
      if (!isRead || !request.headers.has('apikey')) return between(request, next)
      const answer = await next(request)
      if (!answer.ok) return answer
      const text = kept.get(pathname) ?? answer.text()
      kept.set(pathname, text)
      return new Response(await text, { headers: { 'content-type': 'application/json' } })
    },
  })
}

/** As the service has it, past the cache. */
async function taskIn(lent: Lent, id: string): Promise<Task> {
  const request = new Request(`${lent.baseUrl}/tasks/${id}`, { headers: { apikey: lent.apiKey } })
  return (await lent.fetch(request)).json() as Promise<Task>
}

async function assign(lent: Lent, id: string, by: string, comment: string): Promise<Task> {
  const { updated_at } = await taskIn(lent, id)
  const to = { id: lent.userIds[1] as string, type: 'USER' as const }
  const url = `${lent.baseUrl}/tasks/${id}/update-assignment`
  const headers = {
    apikey: lent.apiKey,
    'if-match': updated_at,
    'content-type': 'application/json',
  }
  const body = JSON.stringify(updateBody(by, to, comment))
  return (
    await lent.fetch(new Request(url, { method: 'PUT', headers, body }))
  ).json() as Promise<Task>
}

/** What a killed run leaves: it has read the task, changed it, and written down the answer. */
async function leaveChanged(lent: Lent, id: string) {
  const { updated_at, assignment } = await taskIn(lent, id)
  // The cache fills.
  await fetch(`${lent.baseUrl}/tasks/${id}`, { headers: { apikey: lent.apiKey } })
  const answer = await assign(lent, id, lent.actorId as string, 'ours')
  openJournal(lent.env.JOURNAL_DIR, lent.baseUrl).owe({
    task: id,
    target: lent.baseUrl,
    found: '2025-01-01T00:00:00.000Z',
    before: assignment as Assignment | null,
    last: { version: answer.updated_at, assignment: answer.assignment },
    replaced: [updated_at],
    run: { pid: 1, host: 'here' },
  })
}

const settle = (lent: Lent) =>
  settleDebts(
    settingsFor(lent.baseUrl, {
      apiKey: lent.apiKey,
      actorId: lent.actorId,
      userIds: lent.userIds,
      journalDir: lent.env.JOURNAL_DIR,
      settleMs: 50,
    }),
    { patienceMs: 100 },
  )

async function restored(lent: Lent) {
  let output = ''
  const out = { write: (text: string) => (output += text) }
  const env = { ...lent.env, SETTLE_MS: '50' }
  const code = await restore({ argv: [], env, cwd: lent.place, out, patienceMs: 100 })
  return { code, output }
}

async function run(lent: Lent, env: Record<string, string> = {}) {
  let output = ''
  const checked = await check({
    argv: ['--clauses', 'assign.unassigned-to-*,assign.user-to-user,version.stale.*'],
    env: { ...lent.env, SETTLE_MS: '60', ...env },
    cwd: lent.place,
    out: { write: (text: string) => (output += text) },
    interruption: createInterruption(),
    runner: warm(),
  })
  return { ...checked, output }
}

const isPut = ({ method }: Request) => method === 'PUT'

describe.concurrent('where reads never show what was changed', () => {
  test('a run puts every task back by the versions of its answers', async () => {
    let accepted = 0
    const lent = await lendCached({
      between: async (request, next) => {
        const answer = await next(request)
        if (isPut(request) && answer.ok) accepted += 1
        return answer
      },
    })
    const { report, output } = await run(lent)
    expect(accepted, output).toBeGreaterThan(2)
    expect(await lent.changed(), output).toEqual([])
    expect(report?.residue).toEqual([])
    expect(lent.journal()).toEqual([])
  })

  test('a run whose updates are refused from then on says what it left, in every report', async () => {
    let accepted = 0
    const lent: Lent = await lendCached({
      between: async (request, next) => {
        if (isPut(request) && accepted > 0) return Response.json({ error: 'no' }, { status: 409 })
        const answer = await next(request)
        if (isPut(request) && answer.ok) accepted += 1
        return answer
      },
    })
    const { report, output, exitCode } = await run(lent)
    const [task = '', ...others] = await lent.changed()
    expect(others).toEqual([])
    expect(task).not.toBe('')
    expect(exitCode, output).not.toBe(0)
    expect(report?.residue).toMatchObject([{ task }])
    expect(report?.reasons).toContain(`task ${task} could not be put back`)
    const reason = `not known to be as it was found`
    for (const name of ['report.json', 'index.html', 'junit.xml', 'summary.md'])
      expect(readFileSync(join(lent.place, 'reports', name), 'utf8'), name).toContain(reason)
    expect(output).toMatch(new RegExp(`NOT AS FOUND: 1 [^]*task ${task}: ${reason}`))
    expect(lent.journal()).toEqual([`${task}.json`])
    const again = await restored(lent)
    expect(again.output).toMatch(/NOT put back.*not known to be as it was found/)
    expect(again.code).toBe(3)
    expect(lent.journal()).toEqual([`${task}.json`])
  })

  test('restore sends the version of the last answer of a run that was killed', async () => {
    const lent = await lendCached()
    const [id = ''] = lent.taskIds
    await leaveChanged(lent, id)
    expect(await lent.changed()).toEqual([id])
    const { code, output } = await restored(lent)
    expect(code, output).toBe(0)
    expect(output).toContain(`task ${id}: put back`)
    expect(await lent.changed()).toEqual([])
    expect(lent.journal()).toEqual([])
  })

  test('a task that changed again is not known to be as it was found, and stays owed', async () => {
    const lent = await lendCached()
    const [id = ''] = lent.taskIds
    await leaveChanged(lent, id)
    await assign(lent, id, stranger, 'theirs')
    const { endings } = await settle(lent)
    expect(endings).toMatchObject([{ task: id, state: 'owed' }])
    expect(endings[0]).toHaveProperty(
      'reason',
      expect.stringMatching(/^not known .*before the last update of this run, and .* answered 409/),
    )
    expect(lent.journal()).toEqual([`${id}.json`])
  })
})

describe.concurrent('a task that somebody else changed after this run', () => {
  test('is theirs: left as it is, told, and no longer owed', async () => {
    const lent = await lendService()
    const [id = ''] = lent.taskIds
    await leaveChanged(lent, id)
    await assign(lent, id, stranger, 'theirs')
    const { endings, residue } = await settle(lent)
    expect(endings).toMatchObject([{ task: id, state: 'theirs' }])
    expect(residue[0]?.reason).toMatch(/^somebody else changed it after this run did/)
    expect((await taskIn(lent, id)).assignment?.assignment_comment).toBe('theirs')
    expect(lent.journal()).toEqual([])
  })

  test('does not count', async () => {
    let wasTheirs = false
    const lent: Lent = await lendService({
      between: async (request, next) => {
        const answer = await next(request)
        if (!isPut(request) || !answer.ok || wasTheirs) return answer
        wasTheirs = true
        const id = new URL(request.url).pathname.split('/').at(-2) as string
        // Once the run has put everything back, as far as it can tell.
        setTimeout(() => void assign(lent, id, stranger, 'theirs'), 30)
        return answer
      },
    })
    const { report, output } = await run(lent, { TASK_IDS: lent.taskIds.slice(0, 3).join() })
    for (const each of report?.residue ?? []) expect(each, output).toMatchObject({ theirs: true })
    expect(report?.reasons.join(), output).not.toContain('could not be put back')
  })
})
