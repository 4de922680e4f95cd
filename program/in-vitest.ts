// The clauses as tests of this checkout's vitest. The command `check` runs in a separate process:
// verdicts, reports and putting back work as in `npm run contract`, even if vitest is killed.
import { join, resolve } from 'node:path'
import { afterAll, inject, type TestAPI } from 'vitest'
import { readEnvironment } from '../engine/settings/environment.ts'
import { clausesFlag, suite } from './clauses.ts'
import { checkClauses, registerAll } from './contract-tests.ts'

const cwd = join(import.meta.dirname, '..')

declare module 'vitest' {
  interface ProvidedContext {
    /** the environment of vitest's caller: vite overwrites BASE_URL in its workers */
    environment: Record<string, string | undefined>
  }
}

/** Registers each clause as a test named by its id. One run checks all that vitest is about to run. */
export async function registerClauses(test: TestAPI): Promise<void> {
  const env = inject('environment')
  const { REPORTS_DIR = 'reports' } = readEnvironment(cwd, env)
  const run = { cwd, env, reports: resolve(cwd, REPORTS_DIR) }
  const end = registerAll(
    suite,
    ({ id }, body) => test(id, body),
    (wanted, signal) => checkClauses(clausesFlag(wanted), { ...run, signal }),
  )
  afterAll(async () => void (await end()))
}
