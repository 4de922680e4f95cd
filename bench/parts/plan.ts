import { openService } from '../against.ts'
import type { Row, Values } from '../figures.ts'
import type { Part } from '../part.ts'

/** Two that answer alike whatever is asked, and one that takes long for an export. */
const services = [
  { name: 'a service that answers after 30 ms', target: { delayMs: 30 } },
  { name: 'one that answers after 100 ms', target: { delayMs: 100 } },
  { name: 'one of one task that answers after 30 ms', target: { delayMs: 30, tasks: 1 } },
]

export const plan: Part = {
  title: 'how long --plan says that a run will take, beside how long it takes',
  async measure({ rounds }) {
    const rows: Row[] = []
    for (const { name, target } of services) {
      const measured: { planned: number; told: number; real: number }[] = []
      for (let round = 0; round < Math.min(rounds, 3); round += 1) {
        process.stderr.write(`round ${round + 1}: ${name}\n`)
        const service = await openService(target)
        try {
          const planned = await service.run(['--plan'])
          const told = Number(/time: about (\d+) s/.exec(planned.said ?? '')?.[1])
          const real = await service.run()
          measured.push({ planned: planned.seconds, told, real: real.seconds })
        } finally {
          await service.close()
        }
      }
      const values = (of: (one: (typeof measured)[number]) => number): Values => measured.map(of)
      rows.push(
        { what: `${name}: the plan`, unit: 's', values: values(({ planned }) => planned) },
        { what: 'what it says', unit: 's', values: values(({ told }) => told) },
        {
          what: 'the run',
          unit: 's',
          values: values(({ real }) => real),
          ratio: values(({ told, real }) => told / real),
        },
      )
    }
    return { rows, notes: ['Ratio: what the plan says / the run; 0.75 to 1.25 is wanted.'] }
  },
}
