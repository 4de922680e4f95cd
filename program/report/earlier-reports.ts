import { resolve } from 'node:path'
import { readEnvironment } from '../../engine/settings/environment.ts'
import type { Environment } from '../../engine/settings/table.ts'
import { type Call, readFlags } from '../input/read-flags.ts'
import { reportIn } from '../input/read-report.ts'

/** Says of the reports that a run which could not be made left as they were: they are not its own. */
export function noticeOfEarlierReports(
  call: Pick<Call, 'argv' | 'env' | 'cwd'>,
): string | undefined {
  const flags = orUndefined(() => readFlags('check', call))
  if (flags?.plan) return undefined
  const { REPORTS_DIR } = environmentOf(call, flags?.envFile)
  const dir = resolve(call.cwd, REPORTS_DIR || 'reports')
  const report = orUndefined(() => reportIn(dir))
  return report && `The reports in ${dir} are of an earlier run, which began ${report.startedAt}.`
}

/** Flags and files may be what was wrong with the call. */
const environmentOf = (
  { cwd, env }: Pick<Call, 'env' | 'cwd'>,
  envFile: string[] | undefined,
): Environment => orUndefined(() => readEnvironment(cwd, env, envFile)) ?? env

function orUndefined<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
