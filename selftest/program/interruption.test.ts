import { setTimeout as sleep } from 'node:timers/promises'
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
import { ofLong } from '../test-end.ts'

// TEST_SEED=… npx vitest run selftest/program/interruption tries other moments, MOMENTS=… more of each.
const { MOMENTS = '1' } = process.env
const random = seededRandom(testSeed)
const slow = { bent: { delay: () => 20 } }

type How = 'through' | 'unanswered' | 'lost'
type When = 'before its answer' | 'after its answer'

/**
 * A run that is interrupted once its n-th or a later update has changed its task: before the answer, or
 * after it, with the next request.
 */
async function runUntil(
  way: Way,
  [at, when]: [number, When],
  act: (run: ReturnType<typeof start>) => unknown,
  between: (request: Request, count: number) => How = () => 'through',
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
      const how = between(request, updates)
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
  const run = start(way, 'check', { ...lent.env, PROFILE: 'updates' })
  const ended = await run.ended
  await Promise.all([acted, ...carriedOut])
  return { ...ended, lent }
}

/** So many moments of each kind. */
const moments = (...kinds: [NodeJS.Signals, 'directly' | 'through npm', When][]) =>
  kinds.flatMap((kind) =>
    Array.from(
      { length: Number(MOMENTS) },
      () => [...kind, 1 + Math.floor(random() * 20)] as const,
    ),
  )

describe.concurrent('an interrupted run leaves every task as it was found', () => {
  test.each(
    moments(
      ['SIGINT', 'directly', 'before its answer'],
      ['SIGTERM', isLong ? 'through npm' : 'directly', 'after its answer'],
    ),
  )('%s %s, when a task is changed, %s, by update %i', async (signal, way, when, at) => {
    const { code, output, lent } = await runUntil(way, [at, when], ({ child }) =>
      child.kill(signal),
    )
    expect(await lent.changed(), output).toEqual([])
    expect(code, output).toBe(signal === 'SIGINT' ? 130 : 143)
    const { interrupted, residue, clauses } = lent.report()
    expect({ interrupted, residue }).toEqual({ interrupted: true, residue: [] })
    const lost = clauses.filter((c: { verdict: string }) => c.verdict === 'inconclusive')
    expect(lost.at(-1)?.reason, output).toContain('interrupted')
    expect(lent.journal(), output).toEqual([])
  })

  test.each(moments(['SIGKILL', 'directly', 'before its answer']))(
    '%s %s, when a task is changed, %s, by update %i, then npm run restore',
    async (signal, way, when, at) => {
      const { lent } = await runUntil(way, [at, when], ({ child }) => signalGroup(child, signal))
      expect(await lent.changed()).not.toEqual([])
      const { code, output } = await start(way, 'restore', lent.env).ended
      expect(await lent.changed(), output).toEqual([])
      expect(code, output).toBe(0)
      expect(lent.journal()).toEqual([])
    },
  )

  ofLong('also after a signal that ends only the shell in which npx started it', async () => {
    const { output, lent } = await runUntil('in a shell', [4, 'after its answer'], ({ child }) =>
      child.kill('SIGTERM'),
    )
    expect(output).toContain('npm, which started this run, has ended: putting tasks back')
    expect(output).toContain('every task that was changed was put back')
    expect(await lent.changed(), output).toEqual([])
    expect(lent.report()).toMatchObject({ interrupted: true, residue: [] })
    expect(lent.journal(), output).toEqual([])
  })

  test('before its clauses, and leaves a report that says so', async () => {
    const lent = await lendService({
      between: () => {
        run.child.kill('SIGINT')
        return new Promise(() => {})
      },
    })
    const run = start('directly', 'check', { ...lent.env, TIMEOUT_MS: '60000' })
    const { code, output } = await run.ended
    expect(code, output).toBe(130)
    expect(output).toContain('the run was interrupted (SIGINT)')
    expect(lent.report()).toMatchObject({ interrupted: true, verdict: 'inconclusive', clauses: [] })
  })

  ofLong(
    'Ctrl-C at a terminal, which reaches npm and the program, is one interruption',
    async () => {
      const { code, output, lent } = await runUntil(
        'through npm',
        [6, 'after its answer'],
        ({ child }) => signalGroup(child, 'SIGINT'),
      )
      expect(output).toContain('putting tasks back')
      expect(output).not.toContain('Stopped. ')
      expect(await lent.changed(), output).toEqual([])
      expect(code, output).toBe(130)
      expect(lent.report().interrupted).toBe(true)
    },
  )

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
