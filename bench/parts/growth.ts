import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAgainst, type Target } from '../against.ts'
import type { Row } from '../figures.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { type Panel, plotOf } from '../plot.ts'
import { root } from '../processes.ts'

type Series = { title: string; points: { at: string; target: Target }[] }

const usual = 6_600
const series: Series[] = [
  {
    title: 'audit events',
    points: [660, usual, 66_000].map((events) => ({
      at: events.toLocaleString('en'),
      target: { events },
    })),
  },
  {
    title: 'tasks that may be changed',
    points: [1, 4, 16].map((tasks) => ({ at: String(tasks), target: { tasks } })),
  },
  {
    title: 'ms until the service answers',
    points: [0, 20, 100].map((delayMs) => ({ at: String(delayMs), target: { delayMs } })),
  },
]

export const growth: Part = {
  title: 'how the cost of a run grows with the service',
  async measure({ rounds, small }) {
    const points = series.flatMap(({ title, points }) =>
      points.map((point) => ({ ...point, name: `${point.at} ${title}` })),
    )
    const found = await interleaved(
      Object.fromEntries(
        points.map(({ name, target }) => [
          name,
          async () => {
            const { seconds, seen } = await runAgainst(target)
            return { seconds, told: seen }
          },
        ]),
      ),
      Math.min(rounds, 3),
    )
    const requests = (name: string) => {
      const values = found.told(name, (seen) => seen.requests ?? 0)
      return Array.isArray(values) ? values : []
    }
    const panels = series.map(
      ({ title, points }): Panel => ({
        title,
        points: points.map(({ at }) => ({ at, values: found.seconds([`${at} ${title}`]) })),
      }),
    )
    if (!small) writeFileSync(join(root, 'bench/growth.svg'), plotOf('seconds of a run', panels))
    return {
      rows: points.map(
        ({ name }): Row => ({
          what: `${name} (${Math.round(requests(name)[0] ?? 0)} requests)`,
          unit: 's',
          values: found.seconds([name]),
        }),
      ),
      notes: [
        `Whole runs, start with it; where nothing else is said ${usual.toLocaleString('en')} events, 12 tasks, no delay, CONCURRENCY 8. The reference service, in a process of its own, looks through all its events for each export. Where there are 660 the clauses on the limit of a PDF are skipped.`,
      ],
    }
  },
}
