// The clauses as tests of this checkout's vitest. The command `check` runs in a separate process:
// verdicts, reports and putting back work as in `npm run contract`, even if vitest is killed.
import { join, resolve } from 'node:path'
import { afterAll, inject, type TestAPI } from 'vitest'
import { readEnvironment } from '../engine/settings/environment.ts'
import { checkClauses, listedBy, sharedRun } from './contract-tests.ts'

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
  const reports = resolve(root, REPORTS_DIR)
  const run = sharedRun(listed, (wanted, signal) => {
    const chosen = wanted.length < listed.length ? ['--clauses', wanted.join()] : []
    return checkClauses(chosen, { cwd: root, env, reports, signal })
  })
  for (const { id } of listed) test(id, run.bodyOf(id))
  afterAll(async () => void (await run.end()))
}
