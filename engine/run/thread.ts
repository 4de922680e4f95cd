// The thread in which the clauses run: vitest's runner, without the server that vitest has for modules.
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { collectTests, type File, startTests, type Test, type VitestRunner } from '@vitest/runner'
import { getTests } from '@vitest/runner/utils'
import { expect } from 'vitest'
import type { Declared, Failure, Job, Said } from './runner.ts'

const { entry, listing } = workerData as Job
// Matchers ask for it, and would ask vitest.
expect.setState({ testPath: entry })

const tell = (said: Said) => parentPort?.postMessage(said)

for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (thrown) => tell({ says: 'stumbled', error: failureOf(thrown) }))

let cancelled = false
parentPort?.on('message', () => void runner.cancel?.('keyboard-input'))

const runner: VitestRunner = {
  config: {
    root: import.meta.dirname,
    name: undefined,
    setupFiles: [],
    passWithNoTests: true,
    testNamePattern: undefined,
    allowOnly: false,
    // The client holds the pace; a clause that waits for a task takes nobody's place.
    sequence: { concurrent: true, seed: 0, hooks: 'stack', setupFiles: 'list' },
    maxConcurrency: 10_000,
    testTimeout: 0,
    hookTimeout: 0,
    chaiConfig: undefined,
    retry: 0,
    includeTaskLocation: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: true,
  },
  importFile: (file) => import(pathToFileURL(file).href),
  onCollected: (files) => tell(collectedIn(files)),
  onBeforeRunTask: (test) => {
    if (cancelled) test.mode = 'skip'
    else tell({ says: 'began', id: test.name })
  },
  onBeforeRunSuite: (suite) => {
    if (cancelled) suite.mode = 'skip'
  },
  onAfterRunTask: (test) => {
    const { result } = test
    const [error] = result?.errors ?? []
    tell({ says: 'ended', clause: { ...declaredBy(test), tookMs: result?.duration, error } })
  },
  cancel: () => {
    cancelled = true
  },
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

function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { message: String(thrown) }
  return { name: thrown.name, message: thrown.message }
}

await (listing ? collectTests : startTests)([entry], runner)
tell({ says: 'done' })
