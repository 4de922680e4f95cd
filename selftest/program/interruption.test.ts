import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../engine/http/retry.ts'
import { lendService, signalGroup, start, type Way } from '../helpers/loans/lent-service.ts'

// SEED=… npx vitest run selftest/program/interruption tries other moments.
const random = seededRandom(Number(process.env.SEED ?? 20))
const slow = { bent: { delay: () => 20 } }

/** A run, and what is done to it at the moment of its n-th update. */
async function runUntil(
  way: Way,
  at: number,
  act: (run: ReturnType<typeof start>) => unknown,
  between: (request: Request, count: number) => 'through' | 'unanswered' | 'lost' = () => 'through',
) {
  let updates = 0
  let done: unknown
  const lent = await lendService({
    ...slow,
    between: async (request, next) => {
      if (request.method === 'PUT') updates += 1
      if (request.method === 'PUT' && updates === at) done = act(run)
      const how = between(request, updates)
      if (how === 'lost') return new Promise(() => {})
      const answer = await next(request)
      return how === 'through' ? answer : new Promise(() => {})
    },
  })
  const run = start(way, 'check', lent.env)
  const ended = await run.ended
  await done
  return { ...ended, lent, updates: () => updates }
}

const moments = (['SIGINT', 'SIGTERM', 'SIGKILL'] as const).flatMap((signal) =>
  (['directly', 'through npm'] as const).flatMap((way) =>
    [10, 20].map((upTo) => {
      const at = 1 + Math.floor(random() * upTo)
      return [signal, way, Math.floor(random() * 60), at] as const
    }),
  ),
)

let kills = 0
let leftChanged = 0
afterAll(() => {
  if (kills > 0) expect(leftChanged, 'no kill came while a task was changed').toBeGreaterThan(0)
})

describe.concurrent('an interrupted run leaves every task as it was found', () => {
  test.each(moments.filter(([signal]) => signal !== 'SIGKILL'))(
    '%s %s, %i ms after update %i',
    async (signal, way, later, at) => {
      const { code, output, lent } = await runUntil(way, at, async ({ child }) => {
        await sleep(later)
        child.kill(signal)
      })
      expect(await lent.changed(), output).toEqual([])
      expect(code, output).toBe(signal === 'SIGINT' ? 130 : 143)
      const { interrupted, residue, clauses } = lent.report()
      expect({ interrupted, residue }).toEqual({ interrupted: true, residue: [] })
      const lost = clauses.filter((c: { verdict: string }) => c.verdict === 'inconclusive')
      expect(lost.at(-1)?.reason, output).toContain('interrupted')
      expect(lent.journal(), output).toEqual([])
    },
  )

  test.each(moments.filter(([signal]) => signal === 'SIGKILL'))(
    '%s %s, %i ms after update %i, then npm run restore',
    async (_, way, later, at) => {
      const { lent } = await runUntil(way, at, async ({ child }) => {
        await sleep(later)
        signalGroup(child, 'SIGKILL')
      })
      await sleep(100)
      kills += 1
      leftChanged += (await lent.changed()).length
      const first = await start(way, 'restore', lent.env).ended
      expect(await lent.changed(), first.output).toEqual([])
      expect(first.code, first.output).toBe(0)
      const second = await start('directly', 'restore', lent.env).ended
      expect(second.output).toBe(
        `nothing is owed: ${lent.env.JOURNAL_DIR} holds nothing to put back\n`,
      )
      expect(second.code).toBe(0)
      expect(lent.journal()).toEqual([])
    },
  )

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

  test('Ctrl-C at a terminal, which reaches npm and the program, is one interruption', async () => {
    const { code, output, lent } = await runUntil('through npm', 6, ({ child }) =>
      signalGroup(child, 'SIGINT'),
    )
    expect(output).toContain('putting back what was changed')
    expect(output).not.toContain('stopped at once')
    expect(await lent.changed(), output).toEqual([])
    expect(code, output).toBe(130)
    expect(lent.report().interrupted).toBe(true)
  })

  test('a second Ctrl-C stops at once and says what is left', async () => {
    let gone = false
    const { code, output, lent } = await runUntil(
      'directly',
      6,
      async ({ child }) => {
        await sleep(100)
        gone = true
        child.kill('SIGINT')
        await sleep(800)
        child.kill('SIGINT')
      },
      () => (gone ? 'lost' : 'through'),
    )
    expect(code, output).toBe(130)
    expect(output).toContain('stopped at once')
    expect(output).toContain('npm run restore')
    const changed = await lent.changed()
    for (const id of changed) expect(output).toContain(`task ${id}: it was `)
    gone = false
    const restored = await start('directly', 'restore', lent.env).ended
    expect(restored.code, restored.output).toBe(0)
    expect(await lent.changed()).toEqual([])
  })

  test('updates that are carried out and never answered are found out and put back', async () => {
    const { code, output, lent } = await runUntil(
      'directly',
      14,
      ({ child }) => child.kill('SIGTERM'),
      ({ method }, count) => (method === 'PUT' && count % 3 === 2 ? 'unanswered' : 'through'),
    )
    expect(await lent.changed(), output).toEqual([])
    expect(code, output).toBe(143)
    expect(lent.report().residue).toEqual([])
  })

  test('a service that is away when the run is interrupted, and comes back', async () => {
    const lent = await lendService({
      ...slow,
      between: async (request, next) => {
        if (request.method === 'PUT') updates += 1
        if (request.method === 'PUT' && updates === 5) away = goAway()
        return next(request)
      },
    })
    let updates = 0
    let away: Promise<void> | undefined
    const goAway = async () => {
      await sleep(50)
      run.child.kill('SIGINT')
      await lent.down()
      await sleep(2000)
      await lent.up()
    }
    const run = start('directly', 'check', lent.env)
    const { code, output } = await run.ended
    await away
    expect(await lent.changed(), output).toEqual([])
    expect(code, output).toBe(130)
    expect(lent.report().residue).toEqual([])
  })
})
