import { resolve } from 'node:path'
import { secretsOf } from '../engine/http/redaction.ts'
import { Impossible } from '../engine/impossible.ts'
import { exitCodeOf } from '../engine/run/exit-code.ts'
import type { Report } from '../engine/run/report.ts'
import { readEnvironment } from '../engine/settings/environment.ts'
import { entered } from '../engine/time/entries.ts'
import { narrowed } from '../helpers/settings/profiles.ts'
import { readSettings } from '../helpers/settings/read.ts'
import type { Settings } from '../helpers/settings/table.ts'
import { takesColour } from '../reporting/console.ts'
import { tellerIn } from '../reporting/lines.ts'
import { checkService, type Job } from './check-service.ts'
import type { Given } from './input/commands.ts'
import { readOrder } from './input/order.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import type { Checked } from './report/finish.ts'
import { showInCi } from './report/in-ci.ts'
import { createOutputGate } from './report/output-gate.ts'
import { keptFilesIn, prepareReportsDir } from './report/reports-dir.ts'
import { ownIds } from './run/contract.ts'
import type { Interruption } from './run/interruption.ts'
import { beginRecord } from './run/record.ts'
import type { Embedded } from './stand-in/embedded.ts'

export type Check = Call & {
  interruption: Interruption
  /** another embedded service instead of the reference */
  service?: Embedded
  /** where --watch reads Enter; default: standard input */
  input?: NodeJS.ReadableStream
} & Pick<Job, 'pdfLimit' | 'makers' | 'runner'>

export async function check(call: Check): Promise<Checked> {
  const flags = readFlags('check', call)
  if (!flags) return { exitCode: 0 }
  if (!flags.watch || flags.plan) return checkOnce(call, flags)
  return (await import('./watch.ts')).watch(call, flags, checkOnce)
}

async function checkOnce(call: Check, flags: Given<'check'>): Promise<Checked> {
  if (flags.replay !== undefined) return replayed(call, flags)
  const { env, cwd, interruption, service } = call
  const isText = flags.format === 'text' || flags.plan
  const out = isText ? call.out : (call.err ?? { write() {} })
  const environment = readEnvironment(cwd, env, flags.envFile)
  const wanted = readSettings(environment, { cwd, flags })
  if (wanted.embedded && flags.require.length > 0 && !service)
    throw new Impossible(
      '--require is given but BASE_URL is not set: your service would not be tested; set BASE_URL.',
    )
  const colour = takesColour(out, env)
  const order = readOrder(flags, cwd, wanted)
  if (!flags.plan) prepareReportsDir(wanted.reportsDir)
  const kept = flags.keepFiles ? { keepFiles: keptFilesIn(wanted.reportsDir) } : {}
  const recordDir = flags.plan ? undefined : recordDirOf(flags, wanted, cwd)

  // Loaded on demand: an embedded service and its libraries load longer than everything else.
  const embedded = wanted.embedded
    ? await (await import('./stand-in/embedded.ts')).openEmbedded(wanted, service)
    : undefined
  try {
    // The embedded service does not lag, so a short SETTLE_MS is enough.
    const { settleMs } = environment.SETTLE_MS || !embedded ? wanted : { settleMs: 100 }
    const settings = narrowed({ ...(embedded?.settings ?? wanted), settleMs, ...kept })
    const gate = createOutputGate(secretsOf(settings), ownIds)
    try {
      if (flags.plan) {
        const { plan } = await import('./plan.ts')
        return { exitCode: await plan({ settings, order, out: gate.out(out) }) }
      }
      const recording = recordDir ? beginRecord(recordDir, settings, { ...call, order }) : undefined
      let isLeaked = false
      const completed = (report: Report): Report => {
        const ended = recording?.end(report)
        if (ended && 'digests' in ended) return { ...report, record: ended.digests }
        isLeaked = ended?.removed === 'leak'
        return report
      }
      const teller = tellerIn(flags.format, gate.out(call.out))
      const job = { ...call, settings, order, out: gate.out(out), colour, teller, completed }
      try {
        const checked = await checkWith(job)
        showInCi(checked, settings.reportsDir, env, gate.out(out))
        if (!isLeaked) return checked
        out.write(
          `  LEAK: the record in ${recordDir} contained a secret and was deleted. This is a bug in the suite: report it\n`,
        )
        return { ...checked, exitCode: 2 }
      } finally {
        recording?.close()
      }
    } catch (error) {
      if (error instanceof Impossible && interruption.by)
        return { exitCode: exitCodeOf({ verdict: 'inconclusive', signal: interruption.by }) }
      throw gate.error(error)
    }
  } finally {
    await embedded?.close()
  }
}

const checkWith = async (job: Job): Promise<Checked> =>
  job.order.times > 1
    ? (await entered('load', () => import('./times.ts'))).checkTimes(job, job.order.times)
    : checkService(job)

/** Where the run is to be kept; refuses what a record does not hold. */
function recordDirOf(
  flags: Given<'check'>,
  { recordDir }: Settings,
  cwd: string,
): string | undefined {
  const dir = flags.record === undefined ? recordDir : resolve(cwd, flags.record)
  if (dir !== undefined && flags.failed !== undefined)
    throw new Impossible(
      '--failed cannot be recorded: its report carries over what another run found; leave one of the two out.',
    )
  return dir
}

/** The same run again, out of its record. */
async function replayed(call: Check, flags: Given<'check'>): Promise<Checked> {
  const { env } = call
  const { openReplay } = await import('./replay.ts')
  const isText = flags.format === 'text'
  const out = isText ? call.out : (call.err ?? { write() {} })
  const replay = openReplay(call, flags)
  try {
    const { settings, order, pdfLimit, completed } = replay
    prepareReportsDir(settings.reportsDir)
    const keepFiles = flags.keepFiles ? { keepFiles: keptFilesIn(settings.reportsDir) } : {}
    const checked = await checkWith({
      ...call,
      ...(pdfLimit === undefined ? {} : { pdfLimit }),
      settings: { ...settings, ...keepFiles },
      order,
      out,
      colour: takesColour(out, env),
      teller: tellerIn(flags.format, call.out),
      completed,
    })
    showInCi(checked, settings.reportsDir, env, out)
    return checked
  } finally {
    replay.close()
  }
}
