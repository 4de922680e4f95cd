import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { holderFor } from '../../../engine/journal/lock.ts'
import { openJournal } from '../../../helpers/loans/journal.ts'
import type { Assignment } from '../../../helpers/service/answers.ts'
import { check } from '../../../program/check.ts'
import { restore } from '../../../program/restore.ts'
import { createInterruption } from '../../../program/run/interruption.ts'
import { lockFile } from '../../../program/run/loans.ts'
import type { Field } from '../../../reference/calls/call.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import type { Task } from '../../../reference/world/world.ts'
import { warm } from '../../proofs/threads/warm-threads.ts'
import { type Lent, lendService } from './lent-service.ts'

type Env = Record<string, string>

/** A reference service whose updates are counted, and may be refused. */
async function lend({
  refusing = (_: Request): boolean | Promise<boolean> => false,
  wrong = {} as Partial<Stated>,
} = {}) {
  const puts: string[] = []
  const lent = await lendService({
    wrong,
    between: async (request, next) => {
      if (request.method === 'PUT') puts.push(new URL(request.url).pathname)
      const refused = request.method === 'PUT' && (await refusing(request.clone()))
      return refused ? Response.json({ error: 'no' }, { status: 403 }) : next(request)
    },
  })
  return Object.assign(lent, { puts })
}

const updates = ['--clauses', 'auth.missing-key.assign.update']
const reads = ['--clauses', 'task.read.identity']

function placeOf({ env, place }: Lent, more: Record<string, string | undefined>) {
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  return { env: { ...env, SETTLE_MS: '60', ...more }, cwd: place, out, output }
}

async function run(lent: Lent, argv: string[], env: Env = {}) {
  const { output, ...given } = placeOf(lent, env)
  const interruption = createInterruption()
  const checked = await check({ argv, ...given, interruption, runner: warm })
  return { ...checked, output: output.join('') }
}

async function restored(lent: Lent, env: Record<string, string | undefined> = {}) {
  const { output, ...given } = placeOf(lent, env)
  const code = await restore({ argv: [], ...given, retryForMs: 300 })
  return { code, output: output.join('') }
}

const journalOf = (lent: Lent, target = lent.baseUrl) => openJournal(lent.env.JOURNAL_DIR, target)

/** What a killed run leaves: it had found the task unassigned. */
function leaveOwed(lent: Lent, task: string, { before = null as Assignment | null, at = '' } = {}) {
  const target = at || lent.baseUrl
  const run = { pid: 1, host: 'here' }
  journalOf(lent, target).owe({ task, target, found: '2025-01-01T00:00:00.000Z', before, run })
}

/** A lock of a live run: of this process's parent. */
function hold(lent: Lent, task: string) {
  const journal = journalOf(lent)
  mkdirSync(journal.dir, { recursive: true })
  const holder = { ...holderFor(60_000), pid: process.ppid, born: undefined }
  writeFileSync(lockFile(journal, task), JSON.stringify(holder))
}

const assignedTask = ({ world, taskIds }: Lent) =>
  world.tasks.find(({ id, assignment }) => assignment && taskIds.includes(id))?.id as string

/** Lends a service with an assigned task that a killed run had found unassigned. */
async function lendOwed(how: Parameters<typeof lend>[0] & { at?: string } = {}) {
  const lent = await lend(how)
  const task = assignedTask(lent)
  leaveOwed(lent, task, how)
  return { lent, task }
}

test('a journal that cannot be used ends a run before it changes anything', async () => {
  const lent = await lend()
  writeFileSync(join(lent.place, 'file'), '')
  const env = { JOURNAL_DIR: join(lent.place, 'file') }
  await expect(run(lent, updates, env)).rejects.toThrow(
    /^JOURNAL_DIR .*file cannot be .*give a writable directory/,
  )
  expect((await run(lent, reads, { ...env, READ_ONLY: '1' })).exitCode).toBe(0)
  const [task = ''] = lent.taskIds
  leaveOwed(lent, task)
  writeFileSync(join(journalOf(lent).dir, `${task}.json`), '{"task":')
  const cut = `${task}.json is cut short or was not written by this suite`
  await expect(run(lent, updates)).rejects.toThrow(cut)
  await expect(restored(lent)).rejects.toThrow('remove the file')
  expect(lent.puts).toEqual([])
})

test('tasks of another run are left out; clauses are skipped if all their tasks are', async () => {
  const lent = await lend()
  const [held = ''] = lent.taskIds
  hold(lent, held)
  const clauses = ['--clauses', 'assign.unassigned-to-user,task.read.identity']
  const alone = await run(lent, clauses, { TASK_IDS: held })
  expect(alone.report?.clauses.map(({ verdict }) => verdict).sort()).toEqual(['pass', 'skip'])
  expect(alone.report?.clauses.find(({ verdict }) => verdict === 'skip')?.reason).toMatch(
    /^every task of TASK_IDS is in use by another run \(pid/,
  )
  expect(lent.puts).toEqual([])
  const { report, exitCode, output } = await run(lent, updates)
  expect(exitCode, output).toBe(0)
  expect(report?.notices.join()).toContain(
    `TASK_IDS: task ${held} is in use by another run (pid ${process.ppid} on `,
  )
  expect(lent.puts.length).toBeGreaterThan(0)
  expect(lent.puts.filter((path) => path.includes(held))).toEqual([])
})

describe.concurrent('putting back', () => {
  test('is counted, and its cost is named', async () => {
    const lent = await lend()
    const only = { TASK_IDS: assignedTask(lent) }
    const { report } = await run(lent, updates, only)
    expect(report).toMatchObject({ restored: 1, residue: [] })
    expect(report?.details?.join()).toMatch(
      /putting back .* took an update of 1 task: ACTOR_ID is now the assigner/,
    )
    expect(await lent.changed()).toEqual([])
  })

  test('that fails is never green, and is reported prominently', async () => {
    let assignee = ''
    const lent = await lend({
      refusing: async (request) => (await request.text()).includes(assignee),
    })
    const only = assignedTask(lent)
    assignee = (await lent.read(only))?.assigned_to_id ?? ''
    const { report, exitCode, output } = await run(lent, updates, { TASK_IDS: only })
    expect(exitCode, output).toBe(3)
    expect(report?.reasons).toContain(`task ${only} could not be put back`)
    expect(report?.residue).toMatchObject([{ task: only }])
    expect(report?.residue[0]?.reason).toContain('responded 403: ')
    expect(output).toMatch(/Not as found .*npm run restore.*\n.*responded 403/)
    expect(lent.journal()).toEqual([`${only}.json`])
  })

  test('that no read can confirm is said, and is not tried again', async () => {
    const isHidden = ({ field, resource, op }: Field) =>
      resource === 'task' && field === 'assignment' && op === 'task.read'
    const lent = await lend({ wrong: { fieldIsShown: (at) => !isHidden(at) } })
    const { report, exitCode, output } = await run(lent, [
      '--clauses',
      'assign.unassigned-to-user,task.read.fields',
    ])
    expect(exitCode, output).toBe(1)
    expect(report?.residue.length).toBeGreaterThan(0)
    expect(report?.residue.every(({ unknown }) => unknown)).toBe(true)
    expect(output).toMatch(/(is|are) not known to be put back/)
    expect(lent.journal()).toEqual([])
  })

  test('what an earlier run left waits for a run that may change tasks', async () => {
    const { lent, task } = await lendOwed()
    const idle = await run(lent, [...reads, '--read-only'])
    expect(idle.report?.notices.join()).toContain(`did not put back (${task}): npm run restore`)
    expect([lent.puts, lent.journal()]).toEqual([[], [`${task}.json`]])
    const { report } = await run(lent, reads)
    expect(report?.notices.join()).toContain(`task ${task} was left changed by an earlier run`)
    expect(await lent.read(task)).toBeNull()
    expect(report).toMatchObject({ restored: 1, residue: [] })
    expect(lent.journal()).toEqual([])
  })
})

describe.concurrent('npm run restore', () => {
  test('puts back, a line for each task, and can be run twice', async () => {
    const { lent, task } = await lendOwed()
    const [other = ''] = lent.taskIds.filter((id) => id !== task)
    leaveOwed(lent, other, { before: await lent.read(other) })
    const { code, output } = await restored(lent)
    expect(output).toContain(`task ${task}: put back, unassigned\n`)
    expect(output).toContain(`task ${other}: as found, `)
    expect(output).toContain('made ACTOR_ID the assigner')
    expect(output).toContain('nothing is left to put back\n')
    expect(code).toBe(0)
    const nothing = `nothing to put back: the journal in ${lent.env.JOURNAL_DIR} names no task\n`
    expect(await restored(lent)).toEqual({ code: 0, output: nothing })
    expect(lent.journal()).toEqual([])
  })

  const isOf = (field: string) => (at: Field) => at.field === field
  const isAssignment = isOf('assignment')
  const isUnassigned = ({ record }: Field) => (record as Task).assignment === null

  test.for<[string, Partial<Stated>]>([
    [
      'assignment is left out while a task is unassigned',
      { fieldIsShown: (at) => !(isAssignment(at) && isUnassigned(at)) },
    ],
    [
      'responses to updates lack the assignment',
      { fieldIsShown: (at) => !(isAssignment(at) && at.op.startsWith('assign.')) },
    ],
    ['assigned_to_type is missing', { fieldIsShown: (at) => !isOf('assigned_to_type')(at) }],
    ['assigned_to_id is missing', { fieldIsShown: (at) => !isOf('assigned_to_id')(at) }],
    [
      'assignment_comment is a number',
      { fieldValue: (at) => (isOf('assignment_comment')(at) ? 7 : at.value) },
    ],
    ['id is missing', { fieldIsShown: (at) => !(at.resource === 'task' && isOf('id')(at)) }],
    [
      'updated_at is a number',
      { timestamp: (at) => (isOf('updated_at')(at) ? Date.parse(at.value) : at.value) },
    ],
  ])('puts back although %s', async ([, wrong]) => {
    const { lent, task } = await lendOwed({ wrong })
    const { code, output } = await restored(lent)
    expect(output).toContain(`task ${task}: put back, unassigned\n`)
    expect(code).toBe(0)
    expect(await lent.read(task)).toBeFalsy()
  })

  test('leaves tasks of a live run alone', async () => {
    const { lent, task } = await lendOwed()
    hold(lent, task)
    const { code, output } = await restored(lent)
    expect(output).toContain(`task ${task}: in use by another run (pid ${process.ppid} on `)
    expect(code).toBe(3)
    expect(lent.puts).toEqual([])
  })

  test('names the tasks that it cannot put back', async () => {
    const { lent } = await lendOwed({ refusing: () => true })
    const { code, output } = await restored(lent)
    expect(output).toMatch(/NOT put back \(it was unassigned\): PUT .* responded 403: /)
    expect(output).toContain('1 task is left: npm run restore tries again\n')
    expect(code).toBe(3)
    await lent.down()
    expect((await restored(lent)).output).toContain('connection refused')
  })

  test('names the address of another target', async () => {
    const { lent, task } = await lendOwed({ at: 'https://other.example/v5' })
    const { code, output } = await restored(lent)
    expect(output).toContain(`task ${task}; set BASE_URL=https://other.example/v5 to put that back`)
    expect(output).toContain('nothing to put back at this address')
    expect(code).toBe(3)
    const none = Object.fromEntries(Object.keys(lent.env).map((name) => [name, undefined]))
    const { JOURNAL_DIR } = lent.env
    await expect(restored(lent, { ...none, JOURNAL_DIR })).rejects.toThrow(
      'BASE_URL is not set, and the journal contains tasks of https://other.example/v5',
    )
    expect(lent.puts).toEqual([])
  })

  test('does nothing where READ_ONLY is set', async () => {
    const { lent } = await lendOwed()
    const sentence = /^READ_ONLY is set, but putting .*; unset READ_ONLY/
    await expect(restored(lent, { READ_ONLY: '1' })).rejects.toThrow(sentence)
    expect(lent.puts).toEqual([])
  })
})
