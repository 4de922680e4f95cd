import type { Selection } from '../engine/clause/selection.ts'
import { counted } from '../engine/counted.ts'
import { secretsOf } from '../engine/http/redaction.ts'
import { Impossible } from '../engine/impossible.ts'
import { exitCodeOf } from '../engine/run/exit-code.ts'
import { runWithOwners, type WithOwners } from '../engine/run/graph.ts'
import { describeReason, type Reason, type Report } from '../engine/run/report.ts'
import { reportOf } from '../engine/run/report-of.ts'
import { type Clauses, type Judged, runClauses, type Watcher } from '../engine/run/run-clauses.ts'
import type { Runner } from '../engine/run/runner.ts'
import { chance, clock } from '../engine/time/timers.ts'
import { describeWindow } from '../helpers/history/settle-window.ts'
import { type SettledDebts, settleDebts, unsettled } from '../helpers/loans/settle-debts.ts'
import type { Run, RunNews } from '../helpers/run.ts'
import { describeClock } from '../helpers/service/clock.ts'
import { kindOf } from '../helpers/service/request-paths.ts'
import { narrowed } from '../helpers/settings/profiles.ts'
import type { Settings } from '../helpers/settings/table.ts'
import { carriedOver } from '../reporting/carried-over.ts'
import { type Out, takesColour } from '../reporting/console.ts'
import { liveLine } from '../reporting/live.ts'
import { present } from '../reporting/parts/texts.ts'
import { chosenBy } from './clauses.ts'
import { costs } from './costs.ts'
import type { Given } from './input/commands.ts'
import { describeSelection, type Order, readRun, selectionFor } from './input/order.ts'
import type { Call } from './input/read-flags.ts'
import type { Source } from './replay.ts'
import { withBaseline } from './report/baseline.ts'
import { type Checked, type Finishing, finish } from './report/finish.ts'
import { showInCi } from './report/in-ci.ts'
import { createOutputGate } from './report/output-gate.ts'
import { emptyFilesDir, prepareReportsDir } from './report/reports-dir.ts'
import { areasFor, contract, selectedAreas } from './run/contract.ts'
import { type Contact, firstContact, ServiceDown } from './run/first-contact.ts'
import type { Interruption } from './run/interruption.ts'
import { describeLeftover, type Loans, openLoans } from './run/loans.ts'
import { beginRecord, prepareRecord } from './run/record.ts'
import { RunNotes } from './run/run-notes.ts'
import { madeBy } from './run/version.ts'
import type { Embedded } from './stand-in/embedded.ts'

type Around = {
  interruption: Interruption
  /** the event limit of a PDF, if the service has a lower one than the contract */
  pdfLimit?: number
  makers?: Finishing['makers']
  /** where the clauses run; default: a thread of their own */
  runner?: Runner
}

export type Check = Call & Around & { service?: Embedded }

type Job = Around &
  Omit<Source, 'close'> & {
    out: Out
    cwd: string
    colour?: boolean
  }

export async function checkService(call: Check, flags: Given<'check'>): Promise<Checked> {
  const { env, interruption } = call
  const source =
    flags.replay === undefined
      ? await openService(call, flags)
      : (await import('./replay.ts')).openReplay(call, flags)
  const { settings } = source
  const gate = createOutputGate(secretsOf(settings))
  const out = gate.out(call.out)
  try {
    const job = { ...call, ...source, out, colour: takesColour(out, env) }
    const checked = await checkInTime(job)
    showInCi(checked, settings.reportsDir, env, out)
    return checked
  } catch (error) {
    if (error instanceof Impossible && interruption.by)
      return { exitCode: exitCodeOf({ verdict: 'inconclusive', signal: interruption.by }) }
    throw gate.error(error)
  } finally {
    await source.close()
  }
}

async function openService(call: Check, flags: Given<'check'>): Promise<Source> {
  const { wanted, order, recordDir } = readRun(call, flags)
  prepareReportsDir(wanted.reportsDir)
  if (recordDir) prepareRecord(recordDir)

  // Loaded on demand: an embedded service and its libraries load longer than everything else.
  const embedded = wanted.embedded
    ? await (await import('./stand-in/embedded.ts')).openEmbedded(wanted, call.service)
    : undefined
  // The embedded service does not lag, so a short SETTLE_MS is enough.
  const { settleMs } = wanted.given?.SETTLE_MS || !embedded ? wanted : { settleMs: 100 }
  const settings = narrowed({ ...(embedded?.settings ?? wanted), settleMs })
  const recording = recordDir ? beginRecord(recordDir, settings, { ...call, order }) : undefined
  return {
    ...{ settings, order, completed: recording?.end },
    close: async () => {
      recording?.close()
      await embedded?.close()
    },
  }
}

/**
 * Checks the service that the settings name. It always ends in time and, unless settings or flags are wrong, with
 * a report; after an early end the report says why.
 */
async function checkInTime(given: Job): Promise<Checked> {
  const job = { ...given, startedAt: new Date(clock.date()), start: clock.now() }
  const { interruption, settings } = job
  const overtime = clock.setTimeout(
    () => interruption.end(`the run took longer than RUN_TIMEOUT_S=${settings.runTimeoutS}`),
    settings.runTimeoutS * 1000,
  )
  let loans: Loans | undefined
  try {
    const contact = await firstContact(settings, interruption.signal)
    const keepFiles = emptyFilesDir(settings)
    const found = { ...settings, baseUrl: contact.baseUrl, keepFiles }
    const selection = selectionFor(job.order, found)
    const held = openLoans(found, contact.known)
    loans = held
    interruption.leftover = () => describeLeftover(found, held.held)
    return await checkOnLoan({ ...job, settings: found, selection, contact, loans: held })
  } catch (error) {
    return endEarly(job, error)
  } finally {
    loans?.release()
    clock.clear(overtime)
  }
}

/** Reports why no clause could be judged; throws the error if it is a mistake of the user, or ours. */
function endEarly(job: Begun, error: unknown): Checked {
  const { settings } = job
  const { signal } = job.interruption
  const isDown = error instanceof ServiceDown
  // After a mistake in settings or flags the reports of an earlier run stay.
  if (error instanceof Impossible && !isDown && !signal.aborted) throw error
  const ownError = { fact: 'internal error of the suite', details: `: ${error}` }
  const reason = isDown ? error.why : ownError
  const report = reportBeforeClauses(job, {
    reason: signal.aborted ? { fact: String(signal.reason) } : reason,
    requests: isDown ? error.requests : 0,
  })
  emptyFilesDir(settings)
  if (signal.aborted || isDown) return closeRun(job, report)
  closeRun({ ...job, out: { write: () => {} } }, report)
  throw error
}

type Begun = Job & { startedAt: Date; start: number }

const reportIn = (
  { settings, order, startedAt, start, interruption }: Begun,
  found: Partial<Parameters<typeof reportOf>[0]>,
): Report =>
  reportOf({
    ...{ judged: [], errors: [], reasons: [], residue: [], restored: 0, requests: 0 },
    notices: [...settings.notices, ...order.notices],
    ...found,
    ...{ contract, settings, order, startedAt, asOf: settings.asOf },
    selection: describeSelection(order),
    durationMs: clock.now() - start,
    madeBy,
    interrupted: interruption.by !== undefined,
  })

/** A run that ended before its clauses could begin: the reason is that of each of them. */
function reportBeforeClauses(
  job: Begun,
  { reason, requests }: { reason: Reason; requests: number },
): Report {
  const selected = chosenBy(selectionFor(job.order, job.settings))
  const judged = selected.map((facts) => ({
    facts,
    outcome: { kind: 'trouble', reason: describeReason(reason) } as const,
    evidence: [],
  }))
  const early = { judged, requests, reasons: [reason], endedEarly: true as const }
  return withEarlier(reportIn(job, early), job)
}

const withEarlier = (report: Report, { order, settings }: Begun): Report =>
  withBaseline(carriedOver(report, order.earlier), order.baseline, settings.strict)

function closeRun(
  { settings, order, out, interruption, makers, colour, completed }: Job,
  found: Report,
): Checked {
  const report = completed?.(found) ?? found
  const secrets = secretsOf(settings)
  return finish(createOutputGate(secrets).value(report), {
    dir: settings.reportsDir,
    secrets,
    out,
    verbose: order.verbose,
    colour,
    signal: interruption.by,
    makers,
  })
}

const shareOfPdfs = 0.12

/** About how many exports of each kind a profile asks for; of a part of it that is not known. */
function expectedExports({ clauses, level, section, only, profile = 'full' }: Order) {
  if (clauses.length > 0 || level || section || only) return {}
  const { exports } = costs[profile]
  const pdfs = Math.round(exports * shareOfPdfs)
  return { [kindOf('export')]: exports - pdfs, [kindOf('export', 'file_type=pdf')]: pdfs }
}

type OnLoan = Begun & { selection: Selection; contact: Contact; loans: Loans }

async function checkOnLoan(job: OnLoan): Promise<Checked> {
  const { settings, contact, loans, pdfLimit, selection, runner } = job
  const { signal } = job.interruption
  const live = liveLine(job.out)
  const notes = new RunNotes(contact)
  const { ahead } = contact
  const clauses = await runAll(
    { settings, known: loans.known, ahead, pdfLimit, selection, runner },
    watcherFor(live, notes, expectedExports(job.order)),
    signal,
  ).catch((error) => {
    live.end()
    return crashed(error)
  })
  const { judged, errors, declared, met, owners } = clauses
  const settled = await settleAfter(clauses, job, notes)
  for (const { task, state } of settled.endings) if (state === 'put back') notes.putBack.add(task)
  live.end()

  const report = reportIn(job, {
    judged,
    met,
    areas: selectedAreas(areasFor(settings), judged, owners),
    errors,
    declared,
    reasons: signal.aborted ? [{ fact: String(signal.reason) }] : [],
    notices: noticesOf(job, notes),
    details: detailsOf(owners, notes, settings),
    restored: notes.putBack.size,
    residue: settled.residue,
    requests: notes.requests + settled.requests,
    revision: contact.revision,
  })
  return closeRun(job, withEarlier(report, job))
}

/** Shows the progress, and keeps what the report needs. */
function watcherFor(
  live: ReturnType<typeof liveLine>,
  notes: RunNotes,
  exports: Record<string, number>,
): Watcher<RunNews> {
  let expected = exports
  return {
    ...live,
    collected: (count) => {
      live.collected(count, expected)
      // Owners run after the others.
      expected = {}
    },
    judged: (clause) => live.judged(clause.facts.id),
    requested: (count, answers) => {
      notes.requests += count
      live.requested(count, answers)
    },
    noted: (news) => notes.note(news),
  }
}

function settleAfter(
  { judged, errors }: WithOwners,
  { settings, loans, interruption }: OnLoan,
  { unsure }: RunNotes,
): Promise<SettledDebts> {
  // After trouble, an abandoned update may still be carried out: read each task again later.
  const isLost = ({ outcome: { kind } }: Judged) => kind === 'trouble' || kind === 'error'
  const isTroubled = judged.some(isLost) || errors.length > 0
  const isInDoubt = interruption.signal.aborted || isTroubled || unsure.size > 0
  const doubt = isInDoubt ? 'everything' : undefined
  return settleDebts(settings, { tasks: loans.held, doubt }).catch((error) =>
    unsettled(loans.held, error),
  )
}

function noticesOf({ settings, order, contact, loans }: OnLoan, { lagging }: RunNotes): string[] {
  const { settleMs } = settings
  return present([
    settings.notices,
    order.notices,
    contact.notices,
    describeClock(contact.ahead),
    loans.notices,
    // A version that never settles concerns the clauses; the advice against lag is given anyway.
    lagging.size > 0 &&
      `SETTLE_MS=${settleMs} may be too short: reads of ${counted(lagging.size, 'task')} returned a replaced version for longer; set SETTLE_MS=${Math.max(1000, 3 * settleMs)}`,
  ])
}

function detailsOf(
  owners: readonly string[],
  { learned, putBack }: RunNotes,
  { settleMs, embedded }: Settings,
): string[] {
  return present([
    owners.length > 0 &&
      `not selected, but checked too, because other clauses refer to them: ${owners.join(', ')}`,
    learned && describeWindow(learned, settleMs),
    // The embedded service ends with the run, so its tasks do not matter.
    putBack.size > 0 &&
      !embedded &&
      `putting back the changes took an update of ${counted(putBack.size, 'task')}: ACTOR_ID is now the assigner, and each update added audit events and may have sent emails`,
  ])
}

/** Changes are still put back, and the report holds what there is. */
function crashed(error: unknown): WithOwners {
  if (error instanceof Impossible) throw error
  const message = error instanceof Error ? error.message : String(error)
  return { judged: [], errors: [message], declared: [], met: [], owners: [] }
}

type Running = Omit<Run, 'id' | 'last'> & { selection: Selection; runner?: Runner | undefined }

/** Runs the selected clauses, then the owners that they refer to, within one MAX_WRITES. */
const runAll = (
  { selection, runner, settings, ...given }: Running,
  watcher: Watcher<RunNews>,
  stop: AbortSignal,
): Promise<WithOwners> =>
  runWithOwners(
    (chosen, before) => {
      const id = chance.uuid()
      const run = { ...given, id, settings: withRoomLeft(settings, before), last: lastIn(before) }
      const { entry } = contract
      return runClauses({ id, entry, selection: chosen, provide: { run }, runner }, watcher, stop)
    },
    selection,
    stop,
  )

/** Each round of clauses counts updates anew: those that were or may have been accepted, each once. */
function withRoomLeft(settings: Settings, before: Clauses | undefined): Settings {
  const { maxWrites } = settings
  if (maxWrites === undefined || !before) return settings
  const made = before.judged
    .flatMap(({ evidence }) => evidence)
    .filter(({ method, status }) => method === 'PUT' && mayHaveChanged(status))
  const updates = new Set(made.map(({ number }) => number)).size
  return { ...settings, maxWrites: Math.max(0, maxWrites - updates) }
}

/** Without an answer too. */
const mayHaveChanged = (status: number | undefined): boolean =>
  status === undefined || status < 300 || status >= 500

const lastIn = (before: Clauses | undefined): number =>
  [before?.judged.map(({ evidence }) => evidence), before?.met.map(({ exchanges }) => exchanges)]
    .flat(2)
    .reduce((last, each) => Math.max(last, each?.number ?? 0), 0)
