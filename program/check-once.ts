import type { Readable } from 'node:stream'
import { secretsOf } from '../engine/http/redaction.ts'
import { Impossible } from '../engine/impossible.ts'
import { exitCodeOf } from '../engine/run/exit-code.ts'
import { entered } from '../engine/time/entering.ts'
import { narrowed } from '../helpers/settings/profiles.ts'
import { takesColour } from '../reporting/console.ts'
import { tellerIn } from '../reporting/lines.ts'
import { checkService, type Job, type Source } from './check-service.ts'
import type { Given } from './input/commands.ts'
import { readRun } from './input/order.ts'
import type { Call } from './input/read-flags.ts'
import type { Checked } from './report/finish.ts'
import { showInCi } from './report/in-ci.ts'
import { createOutputGate } from './report/output-gate.ts'
import { prepareReports } from './report/reports-dir.ts'
import { beginRecord, prepareRecord } from './run/record.ts'
import type { Embedded } from './stand-in/embedded.ts'

export type Check = Call & {
  service?: Embedded
  input?: Readable
} & Pick<Job, 'interruption' | 'pdfLimit' | 'makers' | 'runner'>

/** Runs the clauses against the service, or out of a record, and writes the reports. */
export async function checkOnce(call: Check, flags: Given<'check'>): Promise<Checked> {
  const { env, interruption } = call
  const source =
    flags.replay === undefined
      ? await openService(call, flags)
      : (await import('./replay.ts')).openReplay(call, flags)
  const { settings } = source
  const gate = createOutputGate(secretsOf(settings))
  const out = gate.out(flags.format === 'text' ? call.out : (call.err ?? { write() {} }))
  try {
    const teller = tellerIn(flags.format, gate.out(call.out))
    const colour = takesColour(out, env)
    const checked = await checkWith({ ...call, ...source, out, colour, teller })
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

const checkWith = async (job: Job): Promise<Checked> =>
  job.order.times > 1
    ? (await entered('load', () => import('./times.ts'))).checkTimes(job, job.order.times)
    : checkService(job)

/** Opens the service that the settings name, and begins the record of the run if one is wanted. */
async function openService(call: Check, flags: Given<'check'>): Promise<Source> {
  const { wanted, order, recordDir } = readRun(call, flags)
  const keepFiles = flags.keepFiles || wanted.bodies === 'all'
  const kept = prepareReports(wanted.reportsDir, keepFiles)
  if (recordDir) prepareRecord(recordDir)

  // Loaded on demand: an embedded service and its libraries load longer than everything else.
  const embedded = wanted.embedded
    ? await (await import('./stand-in/embedded.ts')).openEmbedded(wanted, call.service)
    : undefined
  // The embedded service does not lag, so a short SETTLE_MS is enough.
  const { settleMs } = wanted.given?.SETTLE_MS || !embedded ? wanted : { settleMs: 100 }
  const settings = narrowed({ ...(embedded?.settings ?? wanted), settleMs, ...kept })
  const recording = recordDir ? beginRecord(recordDir, settings, { ...call, order }) : undefined
  return {
    ...{ settings, order, completed: recording?.end },
    close: async () => {
      recording?.close()
      await embedded?.close()
    },
  }
}
