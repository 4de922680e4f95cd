import { runAgainst, type Seen } from '../against.ts'
import { type Link, longestChain } from '../chain.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'

const delayMs = 100
const places = 8
const pace = 40

export const latency: Part = {
  title: `a run on a service that answers after ${delayMs} ms, beside the sum of its latencies`,
  async measure({ rounds }) {
    let chain: Link[] = []
    let lasted = 0
    const run = async (env: Record<string, string>) => {
      const { seconds, seen, report } = await runAgainst({ delayMs }, env)
      chain = longestChain(report, places)
      lasted = report.durationMs
      return { seconds, told: seen }
    }
    const CONCURRENCY = String(places)
    const slow = async () => {
      const sample = await run({ CONCURRENCY, REQUESTS_PER_SECOND: String(pace) })
      return sample
    }
    const found = await interleaved(
      { paced: slow, free: () => run({ CONCURRENCY }) },
      Math.min(rounds, 3),
    )
    const sum = found.told('free', ({ latencyMs = 0 }) => latencyMs / 1000)
    const seconds = found.seconds(['free'])
    const ratio =
      Array.isArray(sum) && Array.isArray(seconds)
        ? seconds.map((value, round) => value / (sum[round] ?? Number.NaN))
        : seconds
    const seen = (name: 'free' | 'paced', of: keyof Seen) =>
      found.told(name, (told) => told[of] ?? Number.NaN)
    return {
      rows: [
        { what: 'the whole run', unit: 's', values: seconds, ratio, most: 0.25 },
        { what: 'the sum of its latencies', unit: 's', values: sum },
        { what: 'requests', unit: '', values: seen('free', 'requests') },
        {
          what: 'most requests under way',
          unit: '',
          values: seen('free', 'mostInFlight'),
          most: places,
        },
        {
          what: `the run with REQUESTS_PER_SECOND=${pace}`,
          unit: 's',
          values: found.seconds(['paced']),
        },
        {
          what: 'most requests that came within one second',
          unit: '',
          values: seen('paced', 'mostInASecond'),
          most: pace,
        },
      ],
      notes: [
        `12 tasks, CONCURRENCY ${places}; what was under way and what came was seen by the service.`,
        `The longest chain: until ${time(chain[0]?.from ?? 0)} requests waited for one of the ${places} places, and from then on for one another:`,
        chain.map(toldLink).join('\n'),
        `The run ended at ${time(lasted)}, reports not counted.`,
      ],
    }
  },
}

const time = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const toldLink = ({ clause, requests, from, to }: Link) =>
  `- ${time(from)} to ${time(to)}: ${requests} ${requests === 1 ? 'request' : 'requests'} of ${clause}`
