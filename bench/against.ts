import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../engine/run/report.ts'
import { beside, cpuOf, type Sample, timedNode, tsx } from './processes.ts'
import { scratch } from './scratch.ts'

/** What the service saw of a run. */
export type Seen = {
  requests: number
  latencyMs: number
  mostInFlight: number
  mostInASecond: number
}

/** A service to run against: how much there is of it, and how late it answers. */
export type Target = {
  events?: number
  tasks?: number
  delayMs?: number
  /** how late it answers exports; left out: as all else */
  exportDelayMs?: number
  /** how long ago its latest event was; left out: nothing happened for months */
  latestMs?: number
}

const reports = join(scratch, 'reports')

export type Service = {
  /** the program, with these flags, in a process of its own */
  run(flags?: string[], env?: Record<string, string>): Promise<Sample>
  /** the settings by which it is reached */
  settings: Record<string, string>
  seen(): Promise<Seen>
  /** the seconds that it has computed */
  cpu(): number
  close(): Promise<void>
}

/** Starts a service in another process, which is late and counts. */
export async function openService({
  events = 6600,
  tasks = 12,
  delayMs = 0,
  exportDelayMs = delayMs,
  latestMs,
}: Target): Promise<Service> {
  const file = 'bench/processes/service.ts'
  const given = [events, tasks, delayMs, exportDelayMs, ...(latestMs ? [latestMs] : [])]
  const service = await beside<Record<string, string>>(file, ...given)
  const settings: Record<string, string> = {
    ...service.told,
    REPORTS_DIR: reports,
    JOURNAL_DIR: join(scratch, 'journal'),
  }
  return {
    settings,
    run: (flags = [], env = {}) =>
      timedNode(tsx('contract.ts', 'check', ...flags), { env: { ...settings, ...env } }),
    seen: () => service.ask<Seen>(),
    cpu: () => cpuOf(service.pid) ?? Number.NaN,
    close: () => service.close(),
  }
}

/** Runs the default job against such a service. */
export async function runAgainst(
  target: Target,
  env: Record<string, string> = {},
): Promise<Sample & { seen: Seen; report: Report }> {
  const service = await openService(target)
  try {
    const sample = await service.run([], env)
    const { REPORTS_DIR = reports } = { ...service.settings, ...env }
    const report: Report = JSON.parse(readFileSync(join(REPORTS_DIR, 'report.json'), 'utf8'))
    return { ...sample, report, seen: await service.seen() }
  } finally {
    await service.close()
  }
}
