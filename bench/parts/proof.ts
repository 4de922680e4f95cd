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
  title:
    'npm test, and a tenth of npm run proofs: faults and variants against the clauses of their areas',
  async measure({ small }) {
    const only = small ? ['selftest/proofs/task.test.ts'] : []
    const whole = await tested(only)
    const all = await tested(small ? only : ['selftest/proofs'], {
      PROVE: 'areas',
      PROVE_SHARE: '0.1',
    })
    const isProof = ([title = '']: string[]) => /^(faults|legal variants),/.test(title)
    const withProofs = all.files.filter(({ assertionResults }) =>
      assertionResults.some(({ ancestorTitles }) => isProof(ancestorTitles)),
    )
    const bends = all.tests.filter(({ ancestorTitles }) => isProof(ancestorTitles)).length
    const each = covered(withProofs) / 1000 / bends
    return {
      rows: [
        { what: 'npm test', unit: 's', values: [whole.seconds], most: 450 },
        { what: 'a tenth of npm run proofs', unit: 's', values: [all.seconds] },
        { what: `each of ${bends} faults and variants`, unit: 's', values: [each], most: 0.24 },
      ],
      notes: [
        `npm test: ${told(whole)}. Proofs: ${told(all)}. Of a fault or variant: the time during which a file with some was under way, whatever else ran beside it, by their number.`,
      ],
    }
  },
}

/** The tests of these files, or all. Those that fail are no reason to keep the time to oneself; they are told. */
async function tested(files: string[], env: Record<string, string> = {}) {
  const file = join(scratch, 'tests.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { seconds } = await timedNode(
    [vitest, 'run', ...files, '--reporter=json', `--outputFile=${file}`],
    { env, mayEndWith: [0, 1] },
  )
  const { testResults }: Results = JSON.parse(readFileSync(file, 'utf8'))
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return { seconds, files: testResults, tests }
}

function told({ tests }: { tests: { status: string }[] }): string {
  const failed = tests.filter(({ status }) => status === 'failed').length
  return `${tests.length} tests, of which ${failed} failed`
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
