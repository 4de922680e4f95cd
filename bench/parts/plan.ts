import { join } from 'node:path'
import { builtProgram } from '../../selftest/built.ts'
import { openService } from '../against.ts'
import type { Row, Values } from '../figures.ts'
import type { Part } from '../part.ts'
import { timedNode } from '../processes.ts'
import { scratch } from '../scratch.ts'

const services = [
  { name: 'a service that answers after 30 ms', target: { delayMs: 30 } },
  { name: 'one that answers after 100 ms', target: { delayMs: 100 } },
  { name: 'one of one task that answers after 30 ms', target: { delayMs: 30, tasks: 1 } },
  // Nobody can know that from reads: the run takes at least what the plan says.
  {
    name: 'one that answers after 30 ms, and exports after 500 ms',
    target: { delayMs: 30, exportDelayMs: 500 },
  },
]

type Measured = { planned: number; told: number; real: number; embedded: number }

export const plan: Part = {
  title: 'how long --plan says that a run of the package will take, beside how long it takes',
  async measure({ rounds }) {
    const program = builtProgram()
    const check = (flags: string[], env: Record<string, string>) =>
      timedNode([program, 'check', '--seed', '1', ...flags], { env })
    const embedded = () =>
      check([], { REPORTS_DIR: join(scratch, 'reports'), SETTLE_MS: '0' }).then(
        ({ seconds }) => seconds,
      )
    const rows: Row[] = []
    for (const { name, target } of services) {
      const measured: Measured[] = []
      for (let round = 0; round < Math.min(rounds, 3); round += 1) {
        process.stderr.write(`round ${round + 1}: ${name}\n`)
        const service = await openService(target)
        try {
          const planned = await check(['--plan'], service.settings)
          const told = Number(/time: about (\d+) s/.exec(planned.said ?? '')?.[1])
          const real = await check([], service.settings)
          measured.push({
            planned: planned.seconds,
            told,
            real: real.seconds,
            embedded: await embedded(),
          })
        } finally {
          await service.close()
        }
      }
      const values = (of: (one: Measured) => number): Values => measured.map(of)
      rows.push(
        {
          what: `${name}: the plan`,
          unit: 's',
          values: values(({ planned }) => planned),
          ratio: values(({ planned, embedded }) => planned / embedded),
        },
        { what: 'what it says', unit: 's', values: values(({ told }) => told) },
        {
          what: 'the run',
          unit: 's',
          values: values(({ real }) => real),
          ratio: values(({ told, real }) => told / real),
        },
      )
    }
    return {
      rows,
      notes: [
        'Ratio of a plan: beside a run on the embedded service with SETTLE_MS=0, which it may take, and its reads besides. Ratio of a run: what the plan says / the run; 0.75 to 1.25 is wanted, and of the last service no more.',
      ],
    }
  },
}
