// The services whose runs are recorded.

import type { Checked } from '../../program/report/finish.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst, runProgram } from '../proofs/prove.ts'
import { proofs } from '../proofs/trials.ts'
import { hasPython, plain, start, waits } from '../python-service/meet.ts'
import { lawfulTargets } from '../steady/targets.ts'
import { inOwnThread } from './recording.ts'
import rows from './targets.json' with { type: 'json' }

type Target = {
  name: string
  isLawful: boolean
  run(env: Record<string, string>, argv: string[]): Promise<Checked>
}

const selecting = (by: readonly string[]) => by.flatMap((each) => ['--clauses', each])

const target = (name: string, isLawful: boolean, bent: Bent, by: readonly string[]): Target => ({
  name,
  isLawful,
  run: (env, argv) =>
    runAgainst({ ...bent, env: { ...bent.env, ...env } }, [...selecting(by), ...argv], inOwnThread),
})

type Row = { proof?: string; area?: string; steady?: string; by?: string[] }

/** A row names a fault or variant and an area whose clauses judge it, or how a lawful service begins. */
function targetOf({ proof, area = '', steady = '', by }: Row): Target {
  const isMeant = (each: { name: string; by: readonly string[] }) =>
    proof ? each.name === proof && each.by.join().startsWith(area) : each.name.startsWith(steady)
  const found = proof ? proofs.find(isMeant) : lawfulTargets.find(isMeant)
  if (!found) throw new Error(`nothing is called "${proof ?? steady}" and judged by ${area}`)
  // Longer than what lags in a lawful one.
  const env = { SETTLE_MS: '500', AUDIT_WAIT_S: '3', MAIL_WAIT_S: '3' }
  return 'isVariant' in found
    ? target(found.name, found.isVariant, found.bent, by ?? found.by)
    : target(found.name, true, { ...found.bent(1), env }, by ?? found.by)
}

const python: Target = {
  name: 'the service in Python',
  isLawful: true,
  run: async (env, argv) => {
    const service = await start(plain)
    try {
      return await runProgram({ ...service.env, ...waits, ...env }, argv, inOwnThread)
    } finally {
      service.stop()
    }
  },
}

const few = [
  ...['task.*', 'assign.required.*', 'assign.user-to-user', 'export.csv.*'],
  ...['export.pdf.readable', 'export.pdf-matches-csv'],
]

const lostUpdates = 'fault another update can come between comparing the version'
const lost = proofs.find(({ name }) => name.startsWith(lostUpdates))?.bent
/** Two that are small enough for git. */
const small = (): Target[] => [
  target('a small lawful service', true, { events: 20, open: { encoding: () => 'gzip' } }, few),
  target('a small service that loses updates', false, { ...lost, events: 20 }, [
    ...few,
    'version.*',
  ]),
]

/** Twenty are lawful ones and faults of each area; twenty more have resets, hanging answers and other codings. */
export function targetsOf(kind: 'twenty' | 'forty' | 'kept'): Target[] {
  if (kind === 'kept') return small()
  const whole = target('the reference service', true, { events: 1_200 }, [])
  const all = [whole, ...(hasPython() ? [python] : []), ...rows.map(targetOf)]
  return kind === 'forty' ? all : all.slice(0, 20)
}
