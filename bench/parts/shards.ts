import { cpus } from 'node:os'
import { join } from 'node:path'
import { builtProgram } from '../../selftest/built.ts'
import { openService, type Service, type Target } from '../against.ts'
import type { Row } from '../figures.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { cpuOf, type Sample, timedNode } from '../processes.ts'
import { scratch } from '../scratch.ts'

const numbers = [1, 2, 3, 4]
const one = (n: number) => ['--shard', `${n}/${numbers.length}`]

/** Runs of the package against one service, each with folders of its own, and the CPU that they took. */
async function runOn(program: string, service: Service, runs: string[][]): Promise<Sample> {
  const start = performance.now()
  const each = await Promise.all(
    runs.map(async (flags, at) => {
      let cpu = 0
      const place = join(scratch, `shard-${at}`)
      await timedNode([program, 'check', '--seed', '1', ...flags], {
        env: {
          ...service.settings,
          REPORTS_DIR: join(place, 'reports'),
          JOURNAL_DIR: join(place, 'journal'),
        },
        look: (pid) => {
          cpu = cpuOf(pid) ?? cpu
        },
      })
      return cpu
    }),
  )
  const cpu = each.reduce((sum, one) => sum + one, 0)
  return { seconds: (performance.now() - start) / 1000, told: { cpu } }
}

const onService = (program: string) => {
  return async (target: Target, ...runs: string[][]): Promise<Sample> => {
    const service = await openService(target)
    try {
      const before = service.cpu()
      const sample = await runOn(program, service, runs)
      const beside = service.cpu() - before
      const { requests } = await service.seen()
      return { ...sample, told: { ...sample.told, requests, beside } }
    } finally {
      await service.close()
    }
  }
}

/** A service whose audit trail goes on: its latest event was ten minutes ago. */
const busy: Target = { latestMs: 600_000 }

export const shards: Part = {
  title: 'four shards, one after another and at once, beside one run of all clauses',
  async measure({ rounds }) {
    const on = onService(builtProgram())
    const late: Target = { delayMs: 100 }
    const ways = {
      'one clause': () => on({}, ['--clauses', 'task.read.success']),
      whole: () => on({}, []),
      '1': () => on({}, one(1)),
      '2': () => on({}, one(2)),
      '3': () => on({}, one(3)),
      '4': () => on({}, one(4)),
      'whole, busy': () => on(busy, []),
      '1, busy': () => on(busy, one(1)),
      '2, busy': () => on(busy, one(2)),
      '3, busy': () => on(busy, one(3)),
      '4, busy': () => on(busy, one(4)),
      'whole, 100 ms': () => on(late, []),
      '1, 100 ms': () => on(late, one(1)),
      '2, 100 ms': () => on(late, one(2)),
      '3, 100 ms': () => on(late, one(3)),
      '4, 100 ms': () => on(late, one(4)),
      'four at once, 100 ms': () => on(late, ...numbers.map(one)),
    }
    const found = await interleaved<keyof typeof ways>(ways, Math.min(rounds, 3))
    const four = ['1', '2', '3', '4'] as const
    const fourBusy = ['1, busy', '2, busy', '3, busy', '4, busy'] as const
    const fourLate = ['1, 100 ms', '2, 100 ms', '3, 100 ms', '4, 100 ms'] as const
    const longestOf = (
      whole: keyof typeof ways,
      each: typeof four | typeof fourBusy | typeof fourLate,
      most: number,
    ) => ({
      unit: 's' as const,
      values: found.seconds([...each], (...own) => Math.max(...own)),
      ratio: found.seconds([whole, ...each], (of = 1, ...own) => Math.max(...own) / of),
      most,
    })
    const told = (what: 'cpu' | 'requests' | 'beside') => (name: keyof typeof ways) => {
      const values = found.told(name, (each) => each[what] ?? Number.NaN)
      return Array.isArray(values) ? values : []
    }
    const ofAll = (what: 'cpu' | 'requests') =>
      told(what)('whole').map(
        (whole, round) =>
          four.reduce((sum, name) => sum + (told(what)(name)[round] ?? Number.NaN), 0) / whole,
      )
    const atOnce = ['four at once, 100 ms', 'whole, 100 ms'] as const
    const cores = cpus().length
    /** the least that they can take on these cores, which they share with the service */
    const leastSeconds = told('cpu')(atOnce[0]).map(
      (cpu, round) => (cpu + (told('beside')(atOnce[0])[round] ?? Number.NaN)) / cores,
    )
    const wholeSeconds = found.seconds([atOnce[1]])
    const rows: Row[] = [
      { what: 'CPU of one clause alone', unit: 's', values: told('cpu')('one clause') },
      { what: 'the whole run', unit: 's', values: found.seconds(['whole']) },
      ...four.map((name): Row => {
        const ratio = found.seconds([name, 'whole'], (own = 0, whole = 1) => own / whole)
        return { what: `shard ${name}/4`, unit: 's', values: found.seconds([name]), ratio }
      }),
      { what: 'the longest of the four', ...longestOf('whole', four, 0.5) },
      {
        what: 'the whole run where the latest event was ten minutes ago',
        unit: 's',
        values: found.seconds(['whole, busy']),
      },
      { what: 'the longest of four there', ...longestOf('whole, busy', fourBusy, 0.5) },
      {
        what: 'requests of all four, beside those of one run',
        unit: '',
        values: ofAll('requests'),
        most: 1.3,
      },
      {
        what: 'CPU of the whole run',
        unit: 's',
        values: told('cpu')('whole'),
      },
      {
        what: 'CPU of all four, beside that of one run',
        unit: '',
        values: ofAll('cpu'),
        most: 1.5,
      },
      {
        what: 'the whole run on a service that answers after 100 ms',
        unit: 's',
        values: wholeSeconds,
      },
      {
        what: 'the longest of four there, each with the cores to itself',
        ...longestOf('whole, 100 ms', fourLate, 0.7),
      },
      {
        what: 'four at once on a service that answers after 100 ms',
        unit: 's',
        values: found.seconds(['four at once, 100 ms']),
        ratio: found.seconds([...atOnce], (own = 0, whole = 1) => own / whole),
        most: 0.7,
      },
      {
        what: `the CPU of these four and of their service, on ${cores} cores`,
        unit: 's',
        values: leastSeconds,
        ratio: leastSeconds.map(
          (least, round) => least / ((Array.isArray(wholeSeconds) && wholeSeconds[round]) || 1),
        ),
      },
    ]
    return {
      rows,
      notes: [
        'Runs of the package. Ratio: beside the whole run on the same service. 12 tasks, 6,600 events.',
      ],
    }
  },
}
