import { createMailbox } from '../../reference/mail/mailbox.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { runProgram } from '../proofs/prove.ts'
import { type Operator, request } from './operators/operator.ts'
import { mutated } from './proxy.ts'

/** The results of a run that are compared. */
export type Sight = { exitCode: number; clauses: ClauseSight[]; reasons: string[] }
type ClauseSight = { id: string; verdict: string; reason?: string; observed?: unknown }

const seed = 1
const pdfLimit = 1_000
const waits = { SETTLE_MS: '60', AUDIT_WAIT_S: '0', MAIL_WAIT_S: '0' }

/** Changes nothing: the run to compare with. */
const none = request('task.read/none', () => undefined)

/** Runs all clauses, or those named, against one mutant of the reference service. */
export async function runMutant(
  mutant: Operator = none,
  clauses: readonly string[] = [],
): Promise<{ sight: Sight; applied: number }> {
  const world = makeWorld(seed, { events: 1_200 })
  const mailbox = createMailbox()
  // The proxy is in front of the service, and gets its mails before the mailbox.
  const proxy = mutated((request, address) => service.fetch(request, address), mutant, world.apiKey)
  const service = createService({
    world,
    mailer: (mail) => {
      for (const letter of proxy.mails(mail)) mailbox.deliver(letter)
    },
    pdfLimit: proxy.limit(pdfLimit),
  })
  const behind = { world, mailbox, fetch: proxy.fetch }
  try {
    const argv = clauses.flatMap((id) => ['--clauses', id])
    const env = { SEED: String(seed), ...waits }
    const { exitCode, report } = await runProgram(env, argv, {
      service: behind,
      pdfLimit,
      makers: {},
    })
    const sight = { exitCode, clauses: report?.clauses ?? [], reasons: report?.reasons ?? [] }
    return { sight, applied: proxy.applied.count }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'Impossible') throw error
    const sight = { exitCode: 2, clauses: [], reasons: [error.message] }
    return { sight, applied: proxy.applied.count }
  }
}
