import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { clausesFlag, suite } from './clauses.ts'
import { programCall } from './contract-tests.ts'
import { isOfOthers, vitestEnvironment } from './run/vitest-environment.ts'

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
