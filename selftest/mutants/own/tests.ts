// What mutants of our own code are tried by, in one process: tests of some rooms, and proofs in simulated time.
import { collectTests, getFn, type Test, type VitestRunner } from '@vitest/runner'
import { getTests } from '@vitest/runner/utils'
import { matchesAny } from '../../../engine/glob.ts'
import { areas } from '../../proofs/areas/all.ts'
import type { Fault, Proofs } from '../../proofs/fault.ts'
import { trialsOfArea } from '../../proofs/trials.ts'
import { sampleOf } from '../../sample.ts'

/** Something that has to go well: it says what is wrong, or throws. */
export type Check = { id: string; isProof: boolean; run(): Promise<string[]> }

/** Each test of these files, as vitest's runner collects them. */
export async function testsIn(files: Record<string, () => Promise<unknown>>): Promise<Check[]> {
  const runner = {
    config: {
      root: import.meta.dirname,
      setupFiles: [],
      sequence: { hooks: 'stack', setupFiles: 'list', seed: 0 },
      testTimeout: 20_000,
      hookTimeout: 20_000,
      retry: 0,
      tags: [],
      maxConcurrency: 1,
    },
    importFile: (file: string) => files[file]?.(),
  } as unknown as VitestRunner
  const collected = await collectTests(Object.keys(files), runner)
  for (const { result, filepath } of collected)
    if (result?.errors?.length) throw new Error(`${filepath}: ${result.errors[0]?.message}`)
  return getTests(collected)
    .filter(({ mode }) => mode === 'run' || mode === 'queued')
    .map((test) => ({
      id: [test.file.filepath, ...namesOf(test)].join(' > '),
      isProof: false,
      run: async () => {
        await getFn(test)()
        return []
      },
    }))
}

const namesOf = ({ suite, name }: Pick<Test, 'suite' | 'name'>): string[] => [
  ...(suite ? namesOf(suite) : []),
  name,
]

/** Proofs of areas: a fault for each clause, and as many variants. */
export const proofsOf = (globs: readonly string[], share: number, seed: number): Check[] =>
  areas
    .filter(({ by }) => [by].flat().some((each) => matchesAny(each, globs)))
    .flatMap((area) => trialsOfArea(fewOf(area, share, seed), false))
    .map(({ kind, name, by, problems }) => ({
      id: `${kind} ${name} [${by.join(' ')}]`,
      isProof: true,
      run: problems,
    }))

function fewOf({ by, faults = [], variants = [] }: Proofs, share: number, seed: number): Proofs {
  const some = <T>(list: readonly T[]) => sampleOf(list, Math.ceil(list.length * share), seed)
  const seen = new Set<string>()
  const isNew = ({ breaks }: Fault) => {
    const before = seen.size
    for (const each of breaks) seen.add(each)
    return seen.size > before
  }
  return { by, faults: some(faults.filter(isNew)), variants: some(variants) }
}
