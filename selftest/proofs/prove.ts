import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { matchesAny } from '../../engine/glob.ts'
import { numbersIn } from '../../engine/problem.ts'
import { type Check, check } from '../../program/check.ts'
import type { Checked } from '../../program/report/finish.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import { createMailbox } from '../../reference/mail/mailbox.ts'
import { bentService, seed } from '../bent-service.ts'
import { frontOnPorts } from './bent/around.ts'
import type { Bent, Fault } from './fault.ts'
import { isOfOtherBreach } from './faults/refusal-clauses.ts'
import { way } from './way.ts'

// The service records and mails at once: what the first look lacks never comes. In simulated time
// the waits of users cost nothing but the requests sent meanwhile.
const short = { SETTLE_MS: '60', AUDIT_WAIT_S: '0', MAIL_WAIT_S: '0' }
const waits = process.env.WAITS === 'usual' ? {} : short

/** Runs the program, as `npm run contract` does, against a bent reference service. */
export async function runAgainst(
  bent: Bent,
  argv: string[] = [],
  more: Partial<Pick<Check, 'makers' | 'runner' | 'interruption' | 'out'>> = {},
): Promise<Checked & { output: string }> {
  const { pdfLimit, surroundings, front } = bent
  const run = async () => {
    const mailbox = createMailbox()
    const reference = bentService(bent, { mailer: mailbox.deliver })
    const around = await surroundings?.()
    const place = surroundings ? front && frontOnPorts(front) : way.place(front)
    const service = { ...reference, mailbox, ...(place && { place }) }
    try {
      const env = { SEED: String(seed), ...waits, ...bent.env, ...around?.env }
      return await runProgram(env, argv, { service, pdfLimit, ...more })
    } finally {
      await around?.close()
    }
  }
  return way.within(run, surroundings !== undefined)
}

/** Runs clauses against a bent reference service, without writing reports. */
export const runClauses = (bent: Bent, ids: readonly string[]) =>
  runAgainst(
    bent,
    ids.flatMap((each) => ['--clauses', each]),
    { makers: {} },
  )

/** Runs the program with its own settings in its own folder; undefined is not set. */
export async function runProgram(
  env: Record<string, string | undefined>,
  argv: string[] = [],
  more: Partial<
    Pick<Check, 'service' | 'pdfLimit' | 'makers' | 'runner' | 'interruption' | 'out'>
  > = {},
): Promise<Checked & { output: string }> {
  const cwd = mkdtempSync(join(tmpdir(), 'contract-'))
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  try {
    const checked = await check({
      argv,
      env,
      cwd,
      out,
      interruption: createInterruption(),
      runner: way.runner,
      ...more,
    })
    return { ...checked, output: output.join('') }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

const clausesWithBreach = ({ report }: Checked) =>
  (report?.clauses ?? []).filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')

/** The ids of the clauses that found a breach, in order. */
export const brokenIn = (checked: Checked): string[] =>
  clausesWithBreach(checked)
    .map(({ id }) => id)
    .sort()

/** The breaches that name no judged exchange, or one that is not among the evidence. */
export const unjudgedIn = (checked: Checked): string[] => {
  const numbers = new Set(checked.report?.exchanges.map(({ number }) => number))
  return clausesWithBreach(checked).flatMap(({ id, breaches = [], evidence, reason }) => {
    if (breaches.length === 0) return [`${id}: ${reason}`]
    const own = new Set(evidence.map(({ exchange }) => exchange))
    const isKnown = (number: number) => numbers.has(number) && own.has(number)
    return breaches
      .filter((each) => each.judged.length === 0 || !numbersIn([each]).every(isKnown))
      .map(({ sentence }) => `${id}: ${sentence}`)
  })
}

/** Whose verdict may name no judged exchange, and why. */
const judgedByNone: Record<string, string> = {
  'versioning.path': 'a base that does not end in /v5 leaves nothing to ask for',
}

/** The passes and observations of clauses that ask which name no judged exchange: each is hollow. */
export const unfoundedIn = ({ report }: Checked): string[] =>
  (report?.clauses ?? [])
    .filter(({ verdict }) => verdict === 'pass' || verdict === 'observed')
    .filter(({ id }) => !(id in judgedByNone))
    .filter(({ evidence }) => !evidence.some(({ role }) => role === 'judged'))
    .map(({ id, verdict }) => `${id} is ${verdict} and names no judged exchange`)

/** The references that no clause has judged: each is a defect of the suite. */
export const danglingIn = ({ report }: Checked): string[] =>
  (report?.clauses ?? []).flatMap(({ id, dangling }) => (dangling ? [`${id}: ${dangling}`] : []))

/** The clauses that blame another writer, where there is none. */
export const blamingIn = ({ report }: Checked): string[] =>
  (report?.clauses ?? []).flatMap(({ id, reason, otherWriter }) =>
    otherWriter ? [`${id}: ${reason}`] : [],
  )

/** Clauses that threw, or ended over an empty list and name neither an owner nor a setting. */
export const hollowIn = ({ report }: Checked): string[] =>
  (report?.clauses ?? []).flatMap(({ id, reason, missing, ownError }) =>
    missing === 'case' || ownError ? [`${id}: ${reason}`] : [],
  )

/** The clauses of `breaks` that ran; a glob that matches none stays, unless it belongs to another area. */
function expectedOf(
  { breaks }: Pick<Fault, 'breaks'>,
  { report }: Checked,
  area: readonly string[],
): string[] {
  const ids = (report?.clauses ?? []).map(({ id }) => id)
  const expected = breaks.flatMap((glob) => {
    const found = ids.filter((id) => matchesAny(id, [glob]))
    const elsewhere = area.length > 0 && !matchesAny(glob, area)
    return found.length > 0 || elsewhere ? found : [glob]
  })
  return [...new Set(expected)].sort()
}

const ofRefused = ['audit.refused-not-recorded', 'audit.as-often', 'notify.refused']

/** The clauses that found a breach, and those that should: equal if a proof is green. */
export function breachesIn(
  checked: Checked,
  named: Pick<Fault, 'breaks' | 'mayBreak' | 'likeOthers' | 'stated'> & { name?: string },
  area: readonly string[],
): { found: string[]; expected: string[] } {
  const expected = expectedOf(named, checked, area)
  // A refused update that is carried out is recorded and mailed like others.
  const trail = named.stated?.effectOfRefusal ? ofRefused : []
  const mayBreak = [...(named.mayBreak ?? []), ...trail]
  const { name, breaks } = named
  const isForeign = (id: string) => name !== undefined && isOfOtherBreach({ name, breaks }, id)
  const isMeant = (id: string) =>
    expected.includes(id) || !matchesAny(id, mayBreak) || isForeign(id)
  const found = brokenIn(checked).filter(isMeant)
  const isOpen = named.likeOthers && area.length === 0 && checked.exitCode === 3
  return { found, expected: isOpen ? expected.filter((id) => found.includes(id)) : expected }
}
