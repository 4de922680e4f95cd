import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { idle, nothingChecked } from '../idle.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { beside, root, timedNode, tsx } from '../processes.ts'
import { scratch } from '../scratch.ts'

type Settings = { BASE_URL: string }

/** The default job, beside a bare client that sends the same requests. */
export const run: Part = {
  title: 'the default run on the embedded service, beside bare undici that sends the same requests',
  async measure({ rounds }) {
    await timedNode(tsx('bench/processes/record.ts', scratch))
    const clauses = readFileSync(join(scratch, 'clauses.txt'), 'utf8')
    const check = (flags: string[]) =>
      timedNode(tsx('contract.ts', 'check', '--seed', '1', ...flags), {
        env: { REPORTS_DIR: join(scratch, 'reports') },
        mayEndWith: [flags === idle ? nothingChecked : 0],
      })
    // Each replay has a service of its own that begins as that of a run does.
    const replay = async (recording: string) => {
      const service = await beside<Settings>('bench/processes/service.ts')
      const { origin } = new URL(service.told.BASE_URL)
      const file = join(scratch, `${recording}.json`)
      return timedNode([join(root, 'bench/processes/replay.mjs'), origin, file]).finally(
        service.close,
      )
    }
    const found = await interleaved(
      {
        whole: () => check([]),
        'bare whole': () => replay('whole'),
        apart: () => check(['--clauses', clauses]),
        'bare apart': () => replay('apart'),
        idle: () => check(idle),
        nothing: () => timedNode(['-e', '0']),
      },
      rounds,
    )
    const ratio = (one: 'whole' | 'apart', other: 'bare whole' | 'bare apart') =>
      found.seconds(
        [one, 'idle', other, 'nothing'],
        (run = 0, idle = 0, bare = 0, nothing = 0) => (run - idle) / (bare - nothing),
      )
    const told = (name: 'bare whole' | 'bare apart') => {
      const first = (of: string) => {
        const values = found.told(name, (each) => each[of] ?? 0)
        return Array.isArray(values) ? values[0] : '?'
      }
      return `${first('requests')} requests; ${first('asIs')} of them were answered with the status of the recording`
    }
    const count = clauses.split(',').length
    return {
      rows: [
        {
          what: `the ${count} clauses that fetch no PDF`,
          unit: 's',
          values: found.seconds(['apart']),
          ratio: ratio('apart', 'bare apart'),
          most: 2.5,
        },
        { what: 'their requests, bare', unit: 's', values: found.seconds(['bare apart']) },
        {
          what: 'all clauses',
          unit: 's',
          values: found.seconds(['whole']),
          ratio: ratio('whole', 'bare whole'),
        },
        { what: 'their requests, bare', unit: 's', values: found.seconds(['bare whole']) },
        { what: 'one clause that asks nothing', unit: 's', values: found.seconds(['idle']) },
        { what: 'a process that does nothing', unit: 's', values: found.seconds(['nothing']) },
      ],
      notes: [
        'Ratio: (run − run of one clause that asks nothing) / (bare requests − process that does nothing).',
        `Bare, without PDFs: ${told('bare apart')}. Bare, all: ${told('bare whole')}. The bare client waits where the run waited for an answer, and nowhere else; it has its service in another process.`,
      ],
    }
  },
}
