import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { closeTape, departuresOf, openTape } from '../engine/http/record/tape.ts'
import { Impossible } from '../engine/impossible.ts'
import type { Report } from '../engine/run/report.ts'
import { readEnvironment } from '../engine/settings/environment.ts'
import { awaitEntry, endsHere } from '../engine/time/entries.ts'
import { openJournal } from '../helpers/loans/journal.ts'
import { readSettings } from '../helpers/settings/read.ts'
import type { Settings } from '../helpers/settings/table.ts'
import type { Given } from './input/commands.ts'
import { type Order, readOrder } from './input/order.ts'
import type { Call } from './input/read-flags.ts'
import type { Interruption } from './run/interruption.ts'
import { type RecordedRun, readRecord } from './run/record.ts'

/** The settings that mean something for a replay: they judge and report. */
const used = ['REPORTS_DIR', 'STRICT', 'BODIES', 'AS_OF']

/** The flags that decide what is sent: a record has decided it. */
const senders = [
  ...['clauses', 'profile', 'level', 'section', 'readOnly', 'plan', 'failed', 'times', 'watch'],
  ...['seed', 'envFile', 'record'],
] as const satisfies (keyof Given<'check'>)[]

export type Replay = {
  settings: Settings
  order: Order
  pdfLimit?: number
  /** adds to a report what the replay was of */
  completed(report: Report): Report
  close(): void
}

/** Opens a record in place of a service. */
export function openReplay(
  { env, cwd, interruption }: Call & { interruption: Interruption },
  flags: Given<'check'>,
): Replay {
  refuseSenders(flags)
  const dir = resolve(cwd, flags.replay ?? '')
  const run = readRecord(dir)
  const environment = readEnvironment(cwd, env)
  const texts = Object.fromEntries(
    used.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  )
  const own = readSettings(texts, { cwd, flags })
  const { settings: kept, asked, pdfLimit } = run
  const journalDir = mkdtempSync(join(tmpdir(), 'contract-replay-'))
  const settings: Settings = {
    ...kept,
    journalDir,
    reportsDir: own.reportsDir,
    strict: kept.strict || own.strict,
    bodies: texts.BODIES === undefined ? kept.bodies : own.bodies,
    asOf: own.asOf ?? kept.asOf,
  }
  const order = { ...readOrder(flags, cwd, settings), ...asked }
  fillJournal(run, settings)
  openTape({ mode: 'replay', dir, name: 'main', secrets: [] })
  awaitEntry('interruption 1', {
    act: (given) => interruption.interrupt(...(given as Parameters<Interruption['interrupt']>)),
    missing: () => {},
  })
  return {
    settings,
    order,
    ...(pdfLimit === undefined ? {} : { pdfLimit }),
    completed: (report) => {
      closeTape()
      const [departure] = departuresOf()
      const missing = departuresOf().reduce((sum, each) => sum + each.missing, 0)
      const left = departure
        ? { departed: { why: departure.why, afterMs: Math.round(departure.at), missing } }
        : {}
      const replayed = { ...report, replayed: { of: run.startedAt, ...left } }
      if (!departure) return replayed
      const { why } = departure
      if (why !== endsHere)
        return { ...replayed, notices: [...report.notices, `the replay left its record: ${why}`] }
      const verdict = report.verdict === 'conformant' ? 'inconclusive' : report.verdict
      return { ...replayed, verdict, reasons: [...report.reasons, why] }
    },
    close: () => {
      closeTape()
      rmSync(journalDir, { recursive: true, force: true })
    },
  }
}

function refuseSenders(flags: Given<'check'>): void {
  const nothing = (value: unknown) =>
    value === undefined ||
    value === false ||
    value === 1 ||
    (Array.isArray(value) && value.length === 0)
  const sender = senders.find((name) => !nothing(flags[name]))
  if (!sender) return
  const flag = sender.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new Impossible(
    `--${flag} decides what is sent, and a replay sends nothing; leave it out, or make a run.`,
  )
}

function fillJournal({ journal }: RecordedRun, { journalDir, baseUrl }: Settings): void {
  const { dir } = openJournal(journalDir, baseUrl)
  mkdirSync(dir, { recursive: true })
  for (const [name, text] of Object.entries(journal)) writeFileSync(join(dir, name), text)
}
