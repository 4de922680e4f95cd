import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const start = ['selftest/simulated/start.mjs', 'selftest/steady/main.ts', '--jobs', '1']

/** Runs the services with this name by these schedules, as the command does. */
export const meet = (name: string, ...schedules: number[]) => {
  const chosen = schedules.flatMap((each) => ['--schedule', String(each)])
  const argv = [...start, '--only', name, ...chosen]
  const { status, stdout } = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' })
  return { status, stdout }
}
