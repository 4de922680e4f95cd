import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../engine/http/retry.ts'
import {
  type Lent,
  lendService,
  signalGroup,
  start,
  type Way,
} from '../helpers/loans/lent-service.ts'
import { isLong, testSeed } from '../long.ts'
import { countsIn, differencesOf, replay, writtenOf } from '../records/recording.ts'
import { openTestFolder } from '../test-end.ts'

// TEST_SEED=… npx vitest run selftest/program/interruption tries other moments.
const random = seededRandom(testSeed)
const slow = { bent: { delay: () => 20 } }

type How = 'through' | 'lost'
type Run = ReturnType<typeof start>
type When = 'before its answer' | 'after its answer'

/**
 * A run that is interrupted once its n-th or a later update has changed its task: before the answer, or
 * after it, with the next request.
 */
async function runUntil(
  way: Way,
  [at, when]: [number, When],
  act: (run: Run) => unknown,
  between: () => How = () => 'through',
  flags: readonly string[] = [],
) {
  let updates = 0
  let stage: 'before' | 'reached' | 'acted' = 'before'
  let acted: unknown
  const carriedOut: Promise<Response>[] = []
  const leftChanged = async ({ url }: Request) =>
    (await lent.changed()).some((id) => url.includes(id))
  const actNow = () => {
    stage = 'acted'
    acted = act(run)
  }
  const lent: Lent = await lendService({
    ...slow,
    between: async (request, next) => {
      const isUpdate = request.method === 'PUT'
      if (isUpdate) updates += 1
      if (stage === 'reached') actNow()
      const how = between()
      if (how === 'lost') return new Promise(() => {})
      const isLate = updates >= at
      carriedOut.push(next(request))
      const answer = (await carriedOut.at(-1)) as Response
      if (isUpdate && isLate && stage === 'before' && (await leftChanged(request)))
        if (stage === 'before' && when === 'before its answer') actNow()
        else if (stage === 'before') stage = 'reached'
      return how === 'through' ? answer : new Promise(() => {})
    },
  })
  // Exports take longer than updates, and change nothing.
  const run = start(way, 'check', lent.env, ['--profile', 'updates', ...flags])
  const ended = await run.ended
  await Promise.all([acted, ...carriedOut])
  return { ...ended, lent }
}

type Row = [what: string, way: Way, when: When, act: (run: Run) => unknown, code: number]
const interrupt = ({ child }: Run) => child.kill('SIGINT')
const terminate = ({ child }: Run) => child.kill('SIGTERM')
const atTerminal = ({ child }: Run) => signalGroup(child, 'SIGINT')
const rows: Row[] = [
  ['SIGINT', 'directly', 'after its answer', interrupt, 130],
  ['SIGTERM', 'through npm', 'before its answer', terminate, 143],
  ['SIGTERM to the shell alone', 'in a shell', 'after its answer', terminate, 143],
  ['Ctrl-C at a terminal', 'through npm', 'after its answer', atTerminal, 130],
]

/** The replay of its record says the same of an interrupted run, and others can read the record. */
async function expectReplayed({ report }: Lent, record: string, code: number) {
  const again = await replay(record)
  expect(again.exitCode, again.output).toBe(code)
  expect(again.output).toMatch(/replayed from the record of .*, nothing was sent/)
  expect(differencesOf(report(), writtenOf(again.report as never)).places).toEqual([])
  expect(again.report?.replayed?.departed).toBeUndefined()
  for (const name of ['main', 'clauses-1']) {
    const bytes = brotliDecompressSync(readFileSync(join(record, `${name}.warc.br`)))
    expect((await countsIn(bytes)).request).toBeGreaterThan(5)
  }
}

/** Which update it is. */
const drawn = () => 1 + Math.floor(random() * 20)

describe.concurrent('an interrupted run leaves every task as it was found', () => {
  test.each((isLong ? rows : rows.slice(0, 1)).map((each) => [drawn(), ...each] as const))(
    'by update %i, whose task is changed: %s, %s, %s',
    async (at, _, way, when, act, exitCode) => {
      const record = openTestFolder()
      const isReplayed = act === interrupt
      const flags = isReplayed ? ['--record', record] : []
      const { code, output, lent } = await runUntil(way, [at, when], act, undefined, flags)
      expect(await lent.changed(), output).toEqual([])
      expect(code, output).toBe(exitCode)
      expect(output).toContain('putting tasks back')
      expect(output).not.toContain('Stopped. ')
      const { interrupted, residue, clauses } = lent.report()
      expect({ interrupted, residue }).toEqual({ interrupted: true, residue: [] })
      const lost = clauses.filter((c: { verdict: string }) => c.verdict === 'inconclusive')
      expect(lost.at(-1)?.reason, output).toContain('interrupted')
      expect(lent.journal(), output).toEqual([])
      // Two replays at once in this process would share its clock.
      if (isReplayed) await expectReplayed(lent, record, code)
    },
  )

  test('SIGKILL, when a task is changed, then npm run restore', async () => {
    const { lent } = await runUntil('directly', [drawn(), 'before its answer'], ({ child }) =>
      signalGroup(child, 'SIGKILL'),
    )
    expect(await lent.changed()).not.toEqual([])
    const { code, output } = await start('directly', 'restore', lent.env).ended
    expect(await lent.changed(), output).toEqual([])
    expect(code, output).toBe(0)
    expect(lent.journal()).toEqual([])
  })

  test('before its clauses, and leaves a report that says so', async () => {
    const lent = await lendService({
      between: () => {
        run.child.kill('SIGTERM')
        return new Promise(() => {})
      },
    })
    const run = start('directly', 'check', { ...lent.env, TIMEOUT_MS: '60000' })
    const { code, output } = await run.ended
    expect(code, output).toBe(143)
    expect(output).toContain('the run was interrupted (SIGTERM)')
    const { interrupted, verdict, clauses } = lent.report()
    expect({ interrupted, verdict }).toEqual({ interrupted: true, verdict: 'inconclusive' })
    const reasons = clauses.map(({ reason }: { reason: string }) => reason)
    expect([...new Set(reasons)]).toEqual(['the run was interrupted (SIGTERM)'])
  })

  test('a second Ctrl-C stops at once and says what is left', async () => {
    let gone = false
    const { code, output, lent } = await runUntil(
      'directly',
      [6, 'before its answer'],
      async ({ child, printed }) => {
        gone = true
        child.kill('SIGINT')
        await printed('putting tasks back')
        // An earlier signal would count as the same key press.
        await sleep(800)
        child.kill('SIGINT')
      },
      () => (gone ? 'lost' : 'through'),
    )
    expect(code, output).toBe(130)
    expect(output).toContain('Stopped. ')
    expect(output).toMatch(/run node .*task-assignment-contract.cjs"? restore:/)
    const changed = await lent.changed()
    expect(changed).not.toEqual([])
    for (const id of changed) expect(output).toContain(`task ${id}: it was `)
    gone = false
    const restored = await start('directly', 'restore', lent.env).ended
    expect(restored.code, restored.output).toBe(0)
    expect(await lent.changed()).toEqual([])
  })
})
