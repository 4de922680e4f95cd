import { join } from 'node:path'
import { builtProgram } from '../../selftest/built.ts'
import type { Row } from '../figures.ts'
import { idle, nothingChecked } from '../idle.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { root, timedNode, tsx } from '../processes.ts'
import { scratch } from '../scratch.ts'

const load = (...modules: string[]) =>
  modules.map((module) => `await import(${JSON.stringify(module)})`).join(';')
const inTsx = (code: string) =>
  timedNode(['--import', 'tsx', '--input-type=module', '-e', `${code};process.exit(0)`])
const program = join(root, 'program/check.ts')

const runIdle = () =>
  timedNode(tsx('contract.ts', 'check', ...idle), {
    env: { REPORTS_DIR: join(scratch, 'reports') },
    mayEndWith: [nothingChecked],
  })

/** What the start of a run is made of: each line has what the line before it had, and more. */
const ways = {
  'node alone': () => timedNode(['-e', '0']),
  'and tsx, which reads TypeScript': () => inTsx('0'),
  'and the program, with vitest and the reference service': () => inTsx(load(program)),
  'a run of one clause that asks nothing: and a worker, all suites, a first look at the service, reports':
    runIdle,
  'the same run, from the package': () =>
    timedNode([builtProgram(), 'check', ...idle], {
      env: { REPORTS_DIR: join(scratch, 'reports') },
      mayEndWith: [nothingChecked],
    }),
  'the list of clauses': () => timedNode(tsx('contract.ts', 'clauses')),
  'the list of clauses, from the package': () => timedNode([builtProgram(), 'clauses']),
}

export const start: Part = {
  title: 'what a run takes before the first clause is judged',
  async measure({ rounds }) {
    const found = await interleaved(ways, rounds)
    const names = Object.keys(ways) as (keyof typeof ways)[]
    return {
      rows: names.map((name): Row => ({ what: name, unit: 's', values: found.seconds([name]) })),
    }
  },
}
