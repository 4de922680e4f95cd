import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../engine/run/report.ts'
import { beside, type Sample, timedNode, tsx } from './processes.ts'
import { scratch } from './scratch.ts'

/** What a proxy in front of the service saw of a run. */
export type Seen = {
  requests: number
  latencyMs: number
  mostInFlight: number
  mostInASecond: number
}

/** A service to run against: how much there is of it, and how late it answers. */
export type Target = { events?: number; tasks?: number; delayMs?: number }

const reports = join(scratch, 'reports')

/** Runs the default job against a service in another process, behind a proxy that delays and counts. */
export async function runAgainst(
  { events = 6600, tasks = 12, delayMs = 0 }: Target,
  env: Record<string, string> = {},
): Promise<Sample & { seen: Seen; report: Report }> {
  const service = await beside<Record<string, string>>('bench/processes/service.ts', events, tasks)
  const { BASE_URL = '' } = service.told
  const { origin } = new URL(BASE_URL)
  const proxy = await beside<{ origin: string }>('bench/processes/slow-proxy.ts', origin, delayMs)
  const settings = { ...service.told, BASE_URL: BASE_URL.replace(origin, proxy.told.origin) }
  try {
    const sample = await timedNode(tsx('contract.ts', 'check'), {
      env: { ...settings, REPORTS_DIR: reports, JOURNAL_DIR: join(scratch, 'journal'), ...env },
    })
    const report: Report = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8'))
    return { ...sample, report, seen: await proxy.ask<Seen>() }
  } finally {
    await proxy.close()
    await service.close()
  }
}
