import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { readEnvironment } from '../engine/settings/environment.ts'
import { programCall } from './contract-tests.ts'

/** The environment of vitest's caller: vite sets BASE_URL to '/' if it is unset. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { BASE_URL, ...others } = process.env
  return BASE_URL === '/' ? others : process.env
}

/** Whether the run meets a service of others. */
export const isOfOthers = (): boolean =>
  Boolean(readEnvironment(process.cwd(), ownEnvironment()).BASE_URL)

/** Passes the environment on. In watch mode, says once what each Enter costs a service of others. */
export default function setUp({ vitest, provide }: TestProject): void {
  provide('environment', { ...ownEnvironment() })
  if (!vitest.config.watch || !isOfOthers()) return
  const [command, args] = programCall('check', '--plan')
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  process.stdout.write(
    `${stdout}${stderr}Each Enter costs this again; r repeats the clauses of -t alone.\n`,
  )
}
