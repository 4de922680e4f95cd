import { resolve } from 'node:path'
import { secretsOf } from '../engine/http/redaction.ts'
import { Impossible } from '../engine/impossible.ts'
import { exitCodeOf } from '../engine/run/exit-code.ts'
import { readEnvironment } from '../engine/settings/environment.ts'
import { entered } from '../engine/time/entering.ts'
import { narrowed } from '../helpers/settings/profiles.ts'
import { readSettings } from '../helpers/settings/read.ts'
import { takesColour } from '../reporting/console.ts'
import { tellerIn } from '../reporting/lines.ts'
import { checkService, type Job, type Source } from './check-service.ts'
import type { Given } from './input/commands.ts'
import { readOrder } from './input/order.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import type { Checked } from './report/finish.ts'
import { showInCi } from './report/in-ci.ts'
import { createOutputGate } from './report/output-gate.ts'
import { prepareReports } from './report/reports-dir.ts'
import { ownIds } from './run/contract.ts'
import type { Interruption } from './run/interruption.ts'
import { beginRecord, prepareRecord } from './run/record.ts'
import type { Embedded } from './stand-in/embedded.ts'

export type Check = Call & {
  interruption: Interruption
  service?: Embedded
  input?: NodeJS.ReadableStream
} & Pick<Job, 'pdfLimit' | 'makers' | 'runner'>

export async function check(call: Check): Promise<Checked> {
  const flags = readFlags('check', call)
  if (!flags) return { exitCode: 0 }
  if (!flags.watch || flags.plan) return checkOnce(call, flags)
  return (await import('./watch.ts')).watch(call, flags, checkOnce)
}

async function checkOnce(call: Check, flags: Given<'check'>): Promise<Checked> {
  const { env, interruption } = call
  const isText = flags.format === 'text' || flags.plan
  const source =
    flags.replay === undefined
      ? await openService(call, flags)
      : (await import('./replay.ts')).openReplay(call, flags)
  const { settings, order } = source
  const gate = createOutputGate(secretsOf(settings), ownIds)
  const out = gate.out(isText ? call.out : (call.err ?? { write() {} }))
  try {
    if (flags.plan) {
      const { plan } = await import('./plan.ts')
      return { exitCode: await plan({ settings, order, out }) }
    }
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
  const { env, cwd, service } = call
  const environment = readEnvironment(cwd, env, flags.envFile)
  const wanted = readSettings(environment, { cwd, flags })
  if (wanted.embedded && flags.require.length > 0 && !service)
    throw new Impossible(
      '--require is given but BASE_URL is not set: your service would not be tested; set BASE_URL.',
    )
  const recordDir = flags.record === undefined ? wanted.recordDir : resolve(cwd, flags.record)
  if (recordDir !== undefined && flags.failed !== undefined)
    throw new Impossible(
      '--failed cannot be recorded: its report carries over what another run found; leave one of the two out.',
    )
  const order = readOrder(flags, cwd, wanted)
  const keepFiles = flags.keepFiles || wanted.bodies === 'all'
  const kept = prepareReports({ ...flags, keepFiles }, wanted.reportsDir)
  if (recordDir && !flags.plan) prepareRecord(recordDir)

  // Loaded on demand: an embedded service and its libraries load longer than everything else.
  const embedded = wanted.embedded
    ? await (await import('./stand-in/embedded.ts')).openEmbedded(wanted, service)
    : undefined
  // The embedded service does not lag, so a short SETTLE_MS is enough.
  const { settleMs } = environment.SETTLE_MS || !embedded ? wanted : { settleMs: 100 }
  const settings = narrowed({ ...(embedded?.settings ?? wanted), settleMs, ...kept })
  const recording =
    recordDir && !flags.plan ? beginRecord(recordDir, settings, { ...call, order }) : undefined
  return {
    ...{ settings, order, completed: recording?.end },
    close: async () => {
      recording?.close()
      await embedded?.close()
    },
  }
}
