import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { departuresSoFar, endTape, startTape } from '../engine/http/record/tape.ts'
import type { Report } from '../engine/run/report.ts'
import { only, readEnvironment } from '../engine/settings/environment.ts'
import { awaitEntry, endsHere } from '../engine/time/entering.ts'
import { presentId } from '../helpers/contract/former-ids.ts'
import { openJournal } from '../helpers/loans/journal.ts'
import { readSettings } from '../helpers/settings/read.ts'
import type { Settings } from '../helpers/settings/table.ts'
import type { Given } from './input/commands.ts'
import { type Order, readOrder } from './input/order.ts'
import type { Call } from './input/read-flags.ts'
import { prepareReportsDir } from './report/reports-dir.ts'
import type { Interruption } from './run/interruption.ts'
import { readRecord } from './run/record.ts'

export type Source = {
  settings: Settings
  order: Order
  /** the event limit of a PDF, if the service has a lower one than the contract */
  pdfLimit?: number
  /** gets the whole report before it is written, and may add to it */
  completed?: ((report: Report) => Report) | undefined
  close(): Promise<void> | void
}

/** The settings that mean something for a replay: they judge and report. */
const used = ['REPORTS_DIR', 'BODIES']

export function openReplay(
  { env, cwd, interruption }: Call & { interruption: Interruption },
  flags: Given<'check'>,
): Source {
  const dir = resolve(cwd, flags.replay ?? '')
  const { asked, pdfLimit, startedAt, journal, settings: kept } = readRecord(dir)
  const texts = only(used, readEnvironment(cwd, env))
  const own = readSettings(texts, { cwd, flags })
  const bodies = texts.BODIES === undefined ? kept.bodies : own.bodies
  const settings: Settings = {
    ...kept,
    journalDir: mkdtempSync(join(tmpdir(), 'contract-replay-')),
    // The report of the run may be in REPORTS_DIR.
    reportsDir: join(own.reportsDir, 'replayed'),
    strict: kept.strict || own.strict,
    bodies,
    asOf: own.asOf ?? kept.asOf,
  }
  prepareReportsDir(settings.reportsDir)
  const order = {
    ...readOrder({ ...flags, ...asked }, cwd, settings),
    only: asked.only?.map(presentId),
  }
  const debts = openJournal(settings.journalDir, settings.baseUrl).dir
  mkdirSync(debts, { recursive: true })
  // A record may come from anywhere: it writes nowhere else.
  for (const [name, text] of Object.entries(journal))
    if (/^[\w-]+\.json$/.test(name)) writeFileSync(join(debts, name), text)
  startTape({ mode: 'replay', dir, name: 'main', secrets: [] })
  awaitEntry('interruption 1', {
    act: (given) => interruption.interrupt(...(given as Parameters<Interruption['interrupt']>)),
  })
  return {
    ...{ settings, order, pdfLimit },
    completed: (report) => {
      endTape()
      return replayedAs(report, startedAt)
    },
    close: () => {
      endTape()
      rmSync(settings.journalDir, { recursive: true, force: true })
    },
  }
}

function replayedAs(report: Report, of: string): Report {
  const [departure] = departuresSoFar()
  if (!departure) return { ...report, replayed: { of } }
  const { why, at } = departure
  const missing = departuresSoFar().reduce((sum, each) => sum + each.missing, 0)
  const replayed = { of, departed: { why, afterMs: Math.round(at), missing } }
  const verdict = report.verdict === 'conformant' ? 'inconclusive' : report.verdict
  const found =
    why === endsHere
      ? { verdict, reasons: [...report.reasons, why], shortReason: report.shortReason ?? why }
      : { notices: [...report.notices, `the replay left its record: ${why}`] }
  return { ...report, replayed, ...found }
}
