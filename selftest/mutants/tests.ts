// The checks for mutants of our own code, in one process: tests of some rooms, and proofs in
// simulated time.
import { collectTests, getFn, type Test, type VitestRunner } from '@vitest/runner'
import { getTests } from '@vitest/runner/utils'
import { matchesAny } from '../../engine/glob.ts'
import { sampleOf } from '../kept.ts'
import { type Target, targetsOf } from '../prove/golden.ts'

/** A check: returns what a proof says of each clause; a test throws. */
export type Check = { id: string; isProof: boolean; run(): Promise<string> }

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
        return ''
      },
    }))
}

const namesOf = ({ suite, name }: Pick<Test, 'suite' | 'name'>): string[] => [
  ...(suite ? namesOf(suite) : []),
  name,
]

/** Proofs of some areas: all, or a share of the variants and of a fault for each clause. */
export function proofsOf(globs: readonly string[], share: number, seed: number): Check[] {
  const targets = targetsOf(false).filter(({ proof }) =>
    proof?.by.some((each) => matchesAny(each, globs)),
  )
  const seen = new Set<string>()
  const isNew = ({ proof }: Target) => {
    const before = seen.size
    const { breaks = [] } = (proof?.bent ?? {}) as { breaks?: string[] }
    for (const each of breaks) seen.add(each)
    return seen.size > before
  }
  const chosen = targets.filter((target) => share === 1 || target.proof?.isVariant || isNew(target))
  return sampleOf(chosen, Math.ceil(chosen.length * share), seed).map(({ name, run }) => ({
    id: name,
    isProof: true,
    run: async () => JSON.stringify(await run()),
  }))
}
