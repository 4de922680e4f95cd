// The clauses as tests of this checkout's vitest. The command `check` runs in a separate process:
// verdicts, reports and putting back work as in `npm run contract`, even if vitest is killed.
import { join, resolve } from 'node:path'
import { afterAll, inject, type TestAPI } from 'vitest'
import { readEnvironment } from '../engine/settings/environment.ts'
import {
  type Checked,
  checkClauses,
  conclude,
  listedBy,
  needNothingElse,
  wantedIn,
} from './contract-tests.ts'

const root = join(import.meta.dirname, '..')

declare module 'vitest' {
  interface ProvidedContext {
    /** the environment of vitest's caller: vite overwrites BASE_URL in its workers */
    environment: Record<string, string | undefined>
  }
}

/** Registers each clause as a test named by its id. One run checks all that vitest is about to run. */
export async function registerClauses(test: TestAPI): Promise<void> {
  const env = inject('environment')
  const listed = await listedBy([], { cwd: root, env })
  const { REPORTS_DIR = 'reports' } = readEnvironment(root, env)
  let run: Promise<Checked> | undefined
  let wanted: string[] = []
  for (const { id } of listed)
    test(id, async (context) => {
      if (!run) {
        wanted = wantedIn(context, listed)
        const chosen = wanted.length < listed.length ? ['--clauses', wanted.join()] : []
        const reports = resolve(root, REPORTS_DIR)
        run = checkClauses(chosen, { cwd: root, env, reports, signal: context.signal })
      }
      const { report, printed } = await run
      const clause = report?.clauses.find((each) => each.id === id)
      if (!clause) throw new Error(`not checked: ${printed}`)
      await conclude(clause, context)
    })
  afterAll(async () => {
    if (run) needNothingElse(await run, wanted)
  })
}
