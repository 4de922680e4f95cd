import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Part } from '../part.ts'
import { root, timedNode } from '../processes.ts'
import { scratch } from '../scratch.ts'

type Results = {
  testResults: {
    name: string
    startTime: number
    endTime: number
    assertionResults: { ancestorTitles: string[]; status: string }[]
  }[]
}

export const proof: Part = {
  title: 'npm test, with all faults and variants',
  async measure({ small }) {
    const file = join(scratch, 'tests.json')
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const only = small ? ['selftest/proofs/task.test.ts'] : []
    // Tests that fail are no reason to keep the time to oneself; they are told.
    const { seconds } = await timedNode(
      [vitest, 'run', ...only, '--reporter=json', `--outputFile=${file}`],
      { mayEndWith: [0, 1] },
    )
    const { testResults }: Results = JSON.parse(readFileSync(file, 'utf8'))
    const isProof = ([title = '']: string[]) => /^(faults|legal variants),/.test(title)
    const proofs = testResults.filter(({ assertionResults }) =>
      assertionResults.some(({ ancestorTitles }) => isProof(ancestorTitles)),
    )
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    const bends = tests.filter(({ ancestorTitles }) => isProof(ancestorTitles)).length
    const failed = tests.filter(({ status }) => status === 'failed').length
    const each = covered(proofs) / 1000 / bends
    return {
      rows: [
        { what: 'npm test', unit: 's', values: [seconds], most: 480 },
        { what: `each of ${bends} faults and variants`, unit: 's', values: [each], most: 0.6 },
      ],
      notes: [
        `${tests.length} tests, of which ${failed} failed. Of a fault or variant: the time during which a file with some was under way, whatever else ran beside it, by their number.`,
      ],
    }
  },
}

/** How many milliseconds lie within any of these times. */
function covered(times: { startTime: number; endTime: number }[]): number {
  let sum = 0
  let until = 0
  for (const { startTime, endTime } of times.toSorted((a, b) => a.startTime - b.startTime)) {
    sum += Math.max(0, endTime - Math.max(startTime, until))
    until = Math.max(until, endTime)
  }
  return sum
}
