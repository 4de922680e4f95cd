import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { readEnvironment } from '../engine/settings/environment.ts'
import { clausesFlag, suite } from './clauses.ts'
import { programCall } from './contract-tests.ts'

declare module 'vitest' {
  interface ProvidedContext {
    environment: Record<string, string | undefined>
  }
}

/** The environment of vitest's caller: vite sets BASE_URL to '/' if it is unset. */
function vitestEnvironment(): NodeJS.ProcessEnv {
  const { BASE_URL, ...others } = process.env
  return BASE_URL === '/' ? others : process.env
}

const isOfOthers = (): boolean =>
  Boolean(readEnvironment(process.cwd(), vitestEnvironment()).BASE_URL)

/** Passes the environment on. In watch mode Enter repeats what -t names, and what that costs others is said first. */
export default function setUp(project: TestProject): void {
  const { vitest } = project
  const env = vitestEnvironment()
  project.provide('environment', { ...env })
  const named = () => vitest.getGlobalTestNamePattern()
  // Enter would forget -t and send every clause.
  project.onTestsRerun(() => vitest.setGlobalTestNamePattern(named() ?? ''))
  if (!vitest.config.watch || !isOfOthers()) return
  const ids = suite.map(({ id }) => id).filter((id) => named()?.test(id) ?? true)
  const [command, args] = programCall('check', '--plan', ...clausesFlag(ids))
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env })
  process.stdout.write(`${stdout}${stderr}Each Enter costs this again.\n`)
}
