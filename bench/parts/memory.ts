import { join } from 'node:path'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { createPeak } from '../peak.ts'
import { beside, npmScript, type Sample, timed } from '../processes.ts'
import { scratch } from '../scratch.ts'

/** The program as `npm run contract` starts it, npm apart. */
const start = (env: Record<string, string>): Promise<Sample> => {
  const { command, args } = npmScript('contract')
  const peak = createPeak()
  return timed(command, args, { env, look: peak.look }).then((sample) => ({
    ...sample,
    told: { megabytes: peak.megabytes() },
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
          const service = await beside<Record<string, string>>('bench/processes/service.ts')
          const folders = {
            REPORTS_DIR: join(scratch, 'reports'),
            JOURNAL_DIR: join(scratch, 'journal'),
          }
          return start({ ...service.told, ...folders }).finally(service.close)
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
