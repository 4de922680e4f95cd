import type { Report } from '../engine/run/report.ts'
import { silent } from '../reporting/lines.ts'
import { summaryOf } from '../reporting/parts/summary.ts'
import { togetherOf } from '../reporting/steadiness.ts'
import { checkService, closeRun, type Job } from './check-service.ts'
import type { Checked } from './report/finish.ts'

/** Checks a service several times with one seed and one MAX_WRITES, and reports flips. */
export async function checkTimes(job: Job, times: number): Promise<Checked> {
  const reports: Report[] = []
  const { settings, out, interruption } = job
  let { maxWrites } = settings
  for (let run = 1; run <= times && !interruption.signal.aborted; run += 1) {
    const { report } = await checkService({
      ...job,
      settings: { ...settings, maxWrites },
      spend: (updates) => {
        if (maxWrites !== undefined) maxWrites = Math.max(0, maxWrites - updates)
      },
      makers: {},
      completed: undefined,
      out: { ...out, write: () => {} },
      teller: run === 1 ? { ...silent, started: job.teller.started } : silent,
    })
    if (!report) continue
    reports.push(report)
    out.write(`run ${run} of ${times}: ${summaryOf(report).line}\n`)
  }
  return closeRun(job, togetherOf(reports))
}
