import type { Report } from '../../engine/run/report.ts'
import { openService, runAgainst } from '../against.ts'
import type { Row, Values } from '../figures.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'

const counts = [1, 6, 12]
const most: Record<number, number> = { 1: 4, 6: 3, 12: 3 }

/** As somebody has it who sets nothing, and without any waiting. */
const manners = { default: { SETTLE_MS: '2000' }, none: { SETTLE_MS: '0' } }

export const settle: Part = {
  title: 'what a run waits so that late effects show, beside the same run with SETTLE_MS=0',
  async measure({ rounds }) {
    const notices = new Map<string, string>()
    const nameOf = (tasks: number, manner: string) => `${tasks} ${manner}`
    const ways = counts.flatMap((tasks) =>
      Object.entries(manners).map(([manner, env]) => {
        const name = nameOf(tasks, manner)
        const run = async () => {
          const { seconds, seen, report } = await runAgainst({ tasks }, env)
          notices.set(name, lagIn(report))
          return { seconds, told: seen }
        }
        return [name, run] as const
      }),
    )
    const found = await interleaved(Object.fromEntries(ways), Math.min(rounds, 3))
    const costliest = new Map<number, Costliest>()
    for (const tasks of counts) costliest.set(tasks, await costliestOf(tasks))
    const rows = counts.flatMap((tasks): Row[] => {
      const [long, short] = [nameOf(tasks, 'default'), nameOf(tasks, 'none')]
      const what = tasks === 1 ? '1 task' : `${tasks} tasks`
      return [
        { what: `${what}, SETTLE_MS=2000`, unit: 's', values: found.seconds([long]) },
        { what: `${what}, SETTLE_MS=0`, unit: 's', values: found.seconds([short]) },
        {
          what: `${what}: the difference`,
          unit: 's',
          values: found.seconds([long, short], (whole = 0, bare = 0) => whole - bare),
          most: most[tasks],
        },
        {
          what: `${what}: requests`,
          unit: '',
          values: found.told(long, ({ requests = 0 }) => requests),
          most: 1350,
        },
        {
          what: `${what}: most requests of one clause`,
          unit: '',
          values: [costliest.get(tasks)?.requests ?? Number.NaN],
          most: 60,
        },
      ]
    })
    const beside: Values = found.seconds(
      [nameOf(1, 'default'), nameOf(12, 'default')],
      (one = 0, twelve = 1) => one / twelve,
    )
    return {
      rows: [...rows, { what: 'one task beside twelve', unit: '', values: beside, most: 2.5 }],
      notes: counts.map((tasks) => {
        const notice = notices.get(nameOf(tasks, 'default')) ?? 'nothing learned'
        return `${tasks}: ${notice}. The clause that asks most is ${costliest.get(tasks)?.clause}.`
      }),
    }
  },
}

type Costliest = { clause: string; requests: number }

/** The clause with the most requests within a run of all; the plan counts them, and what several share for the first. */
async function costliestOf(tasks: number): Promise<Costliest> {
  const service = await openService({ tasks })
  try {
    const { said = '' } = await service.run(['--plan', '--verbose'])
    const counted = [...said.matchAll(/^ {2}run +(\S+) {2}(\d+) requests?\b/gm)].map(
      ([, clause = '', requests]) => ({ clause, requests: Number(requests) }),
    )
    return counted.reduce((one, other) => (other.requests > one.requests ? other : one))
  } finally {
    await service.close()
  }
}

const lagIn = ({ notices }: Report) =>
  notices.find((each) => each.startsWith('reads showed each ')) ?? 'no notice'
