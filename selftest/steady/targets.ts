import type { Runner } from '../../engine/run/runner.ts'
import type { Checked } from '../../program/report/finish.ts'
import { lendService } from '../helpers/loans/lent-service.ts'
import { workBeside } from '../helpers/updates/beside/another-user.ts'
import { ways } from '../hostile/far.ts'
import type { Variant } from '../proofs/fault.ts'
import { runAgainst, runProgram } from '../proofs/prove.ts'
import { warm } from '../proofs/threads/warm-threads.ts'
import { variants as clocks } from '../proofs/variants/clocks.ts'
import { hasPython, start as startPython } from '../python-service/meet.ts'
import { atTestEnd } from '../test-end.ts'

/** How one run differs from the others of a target. */
export type Manner = { name: string; seed: number; runner?: Runner; busy?: true }

/** A lawful service that is met again and again, within a test. */
export type Target = {
  name: string
  /** it was not there for a time, or another user took its tasks: a run may end with 3 */
  disturbed?: true
  /** why what is observed of it is another value each time, though the service is the same */
  ways?: string
  run(manner: Manner): Promise<Checked & { output: string }>
}

type Env = Record<string, string>

// As a user has it who sets nothing.
const shipped = { SETTLE_MS: '2000', AUDIT_WAIT_S: '30', MAIL_WAIT_S: '30', TIMEOUT_MS: '10000' }

const meet = (env: Env, { seed, runner }: Manner) =>
  runProgram({ ...shipped, ...env, SEED: `${seed}` }, [], { makers: {}, ...(runner && { runner }) })

const bent = (name: string, { env, ...variant }: Partial<Variant>): Target => ({
  name,
  run: ({ seed, runner }) =>
    runAgainst({ ...variant, env: { ...shipped, ...env, SEED: `${seed}` } }, [], {
      makers: {},
      ...(runner && { runner }),
    }),
})

const far = (name: string, more: Partial<Target> = {}): Target => ({
  name,
  ...more,
  async run(manner) {
    const way = ways.find((each) => each.name === name)
    if (!way) throw new Error(`hostile/far has no way named ${name}`)
    const { env } = await way.lend()
    return meet({ ...env, ...shipped, RUN_TIMEOUT_S: '1800' }, manner)
  },
})

const inPython: Target = {
  name: 'the service in Python',
  async run(manner) {
    const service = await startPython({ name: 'plain', kind: 'profile', sentence: '' })
    atTestEnd(service.stop)
    return meet({ ...service.env, AUDIT_WAIT_S: '5', MAIL_WAIT_S: '5' }, manner)
  },
}

const anotherUser: Target = {
  name: 'another user changes each of six tasks every two to five seconds',
  disturbed: true,
  async run(manner) {
    const lent = await lendService()
    const taskIds = lent.taskIds.slice(0, 6)
    workBeside(lent, taskIds, manner.seed)
    return meet({ ...lent.env, ...shipped, TASK_IDS: taskIds.join() }, manner)
  },
}

/** The embedded service, one of another hand, and ten that are nervous. */
export const targets: Target[] = [
  { name: 'the embedded service', run: (manner) => meet({}, manner) },
  ...(hasPython() ? [inPython] : []),
  anotherUser,
  bent('reads lag by 150 ms', { open: { readLag: () => 150 } }),
  bent('an updated task is touched three times more', {
    open: { laterTouches: () => [5, 30, 80] },
  }),
  bent('at most 50 requests a second', { open: { requestsPerSecond: () => 50 } }),
  bent('each answer takes 30 ms', { open: { delay: () => 30 } }),
  bent('an event of others every 20 ms', { open: { trafficInterval: () => 20 } }),
  bent(
    'the clock is a year behind, and events come late',
    clocks.find(({ name }) => name === 'the clock is a year behind, and events come late') ?? {},
  ),
  far('each fifth request gets 429, with Retry-After: 1'),
  far('restarts for ten seconds', { disturbed: true }),
  far('two versions in turn', { ways: 'each answer is from either of two versions' }),
]

const shuffling = `${import.meta.dirname}/shuffling-runner.ts`

/** Six seeds, two with other work on the machine, two that begin the clauses in another order. */
export const manners: Manner[] = [
  ...[1, 2, 3, 4, 5, 6].map((seed) => ({ name: `seed ${seed}`, seed })),
  ...[7, 8].map((seed) => ({ name: `seed ${seed}, other work`, seed, busy: true as const })),
  ...[9, 10].map((seed) => ({
    name: `seed ${seed}, another order`,
    seed,
    runner: warm({ runner: shuffling, seed }),
  })),
]
