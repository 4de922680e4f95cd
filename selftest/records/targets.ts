// The services whose runs are recorded.

import type { Checked } from '../../program/report/finish.ts'
import type { Bent } from '../proofs/fault.ts'
import { proofs } from '../proofs/proofs.ts'
import { runAgainst, runProgram } from '../proofs/prove.ts'
import { hasPython, plain, start } from '../python-service/meet.ts'
import { lawfulTargets } from '../steady/targets.ts'
import { inOwnThread } from './recording.ts'

export type Target = {
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

/** A fault or variant by its whole name and the beginning of one of the clauses that judge it. */
function proof(name: string, area: string, by?: string[]): Target {
  const found = proofs.find((each) => each.name === name && each.by.join().startsWith(area))
  if (!found) throw new Error(`no proof is called "${name}" and judged by ${area}`)
  return target(name, found.isVariant, found.bent, by ?? found.by)
}

function steady(beginning: string, by?: string[]): Target {
  const found = lawfulTargets.find(({ name }) => name.startsWith(beginning))
  if (!found) throw new Error(`no steady target begins with "${beginning}"`)
  // Longer than what lags in one of them.
  const bent = { ...found.bent(1), env: { SETTLE_MS: '500', AUDIT_WAIT_S: '3', MAIL_WAIT_S: '3' } }
  return target(found.name, true, bent, by ?? found.by)
}

const python: Target = {
  name: 'the service in Python',
  isLawful: true,
  run: async (env, argv) => {
    const service = await start(plain)
    const waits = { SETTLE_MS: '500', AUDIT_WAIT_S: '3', MAIL_WAIT_S: '3', SEED: '7' }
    try {
      return await runProgram({ ...service.env, ...waits, ...env }, argv, inOwnThread)
    } finally {
      service.stop()
    }
  },
}

const lostInRace =
  'fault another update can come between comparing the version and storing the change'

/** Twenty: lawful ones, and faults of each area. */
const twenty = (): Target[] => [
  target('the reference service', true, { events: 1_200 }, []),
  ...(hasPython() ? [python] : []),
  steady('each fifth request gets 429', ['task.*', 'assign.required.*']),
  steady('reads lag'),
  steady('two versions in turn'),
  proof('variant answers in gzip', 'task', ['task.*', 'assessment.*', 'assign.*']),
  proof('variant a link in JSON says where in a store the file is', 'export.csv'),
  proof('fault user-to-user is answered, and not stored', 'assign'),
  proof('fault a 409 to an unassign unassigns all the same', 'version'),
  proof(lostInRace, 'version'),
  proof('fault a Task without created_at', 'task'),
  proof('fault an Assessment without error_message', 'assessment'),
  proof('fault export: the key is compared without case', 'auth'),
  proof('fault what was read is kept for 30 ms before the key is looked at', 'auth'),
  proof('fault in the CSV UTF-8 is written twice', 'export'),
  proof('fault the PDF has an event twice', 'export.pdf'),
  proof('fault an event is missing when metadata is given', 'export.filter'),
  proof('fault the time zone moves the range', 'export.timezone'),
  proof('fault teams are not mailed', 'notify'),
  proof('fault reassigning leaves no event', 'audit'),
]

/** Twenty more, with hanging answers, resets, compressed files and more of each area. */
const further = (): Target[] => [
  steady('300 ms away', ['task.*', 'assign.required.*']),
  steady('an event of others', ['audit.*', 'export.csv.*']),
  steady('another user changes', ['assign.*']),
  proof('variant files in br', 'export.csv'),
  proof('variant the clock is a day ahead', 'export', ['export.range.*', 'audit.*']),
  proof('fault a version mismatch is never answered', 'version'),
  proof('fault updates that are sent at once are never answered', ''),
  proof('fault every update is carried out and answered 503', ''),
  proof('fault from the middle on every answer is 401 to the valid key', ''),
  proof('fault no read shows an update before SETTLE_MS is over', 'version'),
  proof('fault an update without If-Match is refused, and carried out 200 ms later', 'version'),
  proof('fault comments are cut after 20 characters', 'assign'),
  proof('fault a task is answered 404 at first, and then it is there', 'task'),
  proof('fault another region takes the key', 'auth'),
  proof('fault a slash behind the path of a read leads past the key', 'auth'),
  proof('fault mails show the comment in part', 'notify'),
  proof('fault an update that is answered 409 leaves its event, which is seen later', 'audit'),
  proof('fault a link in JSON leads to a page', 'export.csv'),
  proof('fault a PDF over the limit is cut', 'export.pdf'),
  proof('fault range_end is cut to the full minute', 'export.range'),
]

const few = [
  ...['task.*', 'assign.required.*', 'assign.user-to-user', 'export.csv.*'],
  ...['export.pdf.readable', 'export.pdf-matches-csv'],
]

const lost = proofs.find(({ name }) => name === lostInRace)?.bent
/** Two that are small enough for git. */
const small = (): Target[] => [
  target('a small lawful service', true, { events: 20, open: { encoding: () => 'gzip' } }, few),
  target('a small service that loses updates', false, { ...lost, events: 20 }, [
    ...few,
    'version.*',
  ]),
]

export const targetsOf = (kind: 'twenty' | 'forty' | 'kept'): Target[] =>
  kind === 'kept' ? small() : kind === 'forty' ? [...twenty(), ...further()] : twenty()
