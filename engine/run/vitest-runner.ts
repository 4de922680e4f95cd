import { type File, startTests, type Test, type VitestRunner } from '@vitest/runner'
import { getTests } from '@vitest/runner/utils'
import { clock } from '../time/timers.ts'
import type { Declared, Said } from './runner.ts'

type Config = VitestRunner['config']

/** What a file that declares clauses exports: `close` ends what they were given. */
type Loaded = { close(): Promise<void> }

type Entry = { file: string; load(): Promise<Loaded> }

/** without vitest's module server */
export function runHere({ file, load }: Entry, tell: (said: Said) => void) {
  let cancelled = false
  let loaded: Loaded | undefined
  const begun = new Map<string, number>()
  const runner: VitestRunner = {
    config: {
      root: import.meta.dirname,
      setupFiles: [],
      passWithNoTests: true,
      // The client limits the pace; a clause that waits for a task blocks no other.
      sequence: { concurrent: true, seed: 0, hooks: 'stack', setupFiles: 'list' },
      maxConcurrency: 10_000,
      testTimeout: 0,
      hookTimeout: 0,
      retry: 0,
      tags: [],
    } as Partial<Config> as Config,
    importFile: async () => {
      loaded = await load()
    },
    onCollected: (files) => tell(collectedIn(files)),
    onBeforeRunTask: (test) => {
      begun.set(test.id, clock.now())
      if (cancelled) test.mode = 'skip'
      else tell({ says: 'began', id: test.name })
    },
    onBeforeRunSuite: (suite) => {
      if (cancelled) suite.mode = 'skip'
    },
    onAfterRunTask: (test) => {
      const { result } = test
      const [error] = result?.errors ?? []
      const from = begun.get(test.id)
      const tookMs = from === undefined ? undefined : clock.now() - from
      tell({ says: 'ended', clause: { ...declaredBy(test), tookMs, error } })
    },
    cancel: () => {
      cancelled = true
    },
  }
  return {
    done: startTests([file], runner).then(() => loaded?.close()),
    cancel: () => void runner.cancel?.('keyboard-input'),
  }
}

const declaredBy = ({ name, meta }: Test): Declared => ({ id: name, meta })

function collectedIn(files: File[]): Said {
  const suites = files.flatMap(({ tasks }) => tasks.filter((each) => each.type === 'suite'))
  return {
    says: 'collected',
    clauses: getTests(files).map(declaredBy),
    declared: suites.flatMap(({ meta }) => meta.declared ?? []),
    errors: files.flatMap(({ result }) => result?.errors ?? []),
  }
}
