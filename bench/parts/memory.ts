import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openService } from '../against.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { npmScript, type Sample, timed } from '../processes.ts'
import { scratch } from '../scratch.ts'

/** The program as `npm run contract` starts it, npm apart. */
const start = (env: Record<string, string>): Promise<Sample> => {
  const { command, args } = npmScript('contract')
  let peakKb = 0
  const look = (pid: number) => {
    peakKb = Math.max(
      peakKb,
      familyOf(pid).reduce((sum, each) => sum + sharesOf(each), 0),
    )
  }
  return timed(command, args, { env, look }).then((sample) => ({
    ...sample,
    told: { megabytes: peakKb / 1024 },
  }))
}

export const memory: Part = {
  title:
    'how much memory a run takes at most: the sum of PSS of its processes, by /proc, npm apart',
  async measure({ rounds }) {
    const found = await interleaved(
      {
        embedded: () => start({ REPORTS_DIR: join(scratch, 'reports'), SEED: '1' }),
        target: async () => {
          const service = await openService({})
          return start(service.settings).finally(service.close)
        },
      },
      rounds,
    )
    const of = (name: 'embedded' | 'target') =>
      found.told(name, ({ megabytes = Number.NaN }) => megabytes)
    return {
      rows: [
        {
          what: 'the default run, embedded service',
          unit: 'MB',
          values: of('embedded'),
          most: 560,
        },
        { what: 'a run against a target', unit: 'MB', values: of('target'), most: 500 },
      ],
      notes: ['Looked at every 50 ms. Started as the script of package.json starts it.'],
    }
  },
}

/** A process and all that it started. */
function familyOf(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    )
    return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
  } catch {
    return []
  }
}

/** What of the memory is its own, and its share of what it has in common with others, in kB. */
function sharesOf(pid: number): number {
  try {
    return Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
