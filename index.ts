import type { Report } from './engine/run/report.ts'
import type { Choice } from './program/contract-tests.ts'
import type { Summary } from './reporting/parts/summary.ts'

export type {
  Breach,
  ClauseReport,
  Evidence,
  Met,
  Report,
  Role,
} from './engine/run/report.ts'
export type { ProfileName } from './helpers/settings/profiles.ts'
export type { NotChecked } from './reporting/parts/not-checked.ts'
export type { Summary } from './reporting/parts/summary.ts'

/** What a run is called with. */
export type Options = Pick<Choice, 'profile' | 'clauses' | 'flags'> & {
  /** settings by name; left out: those of the environment */
  settings?: Readonly<Record<string, string | undefined>>
  /** the folder whose .env is read and that relative paths start from; left out: the current one */
  cwd?: string
  /** receives the output of the command; default: nothing is printed */
  print?: (text: string) => void
  /** ends the run: tasks are put back, and the report holds what there was */
  signal?: AbortSignal
}

/**
 * How a run ended. The summary is what every report shows: its line, what is broken by cause, and what was not
 * checked. A run that could not be made throws, and its message says why.
 */
export type Ended = { exitCode: number; report?: Report; summary?: Summary } & Partial<
  Pick<Summary, 'line' | 'notChecked'>
>

/** Checks the service that the settings name, and writes its reports, as the command `check` does. */
export async function check(options: Options = {}): Promise<Ended> {
  const { settings = process.env, cwd = process.cwd(), print, signal } = options
  const { flagsOf } = await import('./program/contract-tests.ts')
  const { createInterruption, enterInterruption } = await import('./program/run/interruption.ts')
  const program = await import('./program/check.ts')
  const interruption = createInterruption()
  const end = () => enterInterruption(interruption, undefined, 'the run was ended by its caller')
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  try {
    const out = { write: (text: string) => print?.(text) }
    const env = { ...settings }
    const { exitCode, report } = await program.check({
      argv: flagsOf(options),
      env,
      cwd,
      out,
      interruption,
    })
    if (!report) return { exitCode }
    const { summaryOf } = await import('./reporting/parts/summary.ts')
    const summary = summaryOf(report)
    return { exitCode, report, summary, line: summary.line, notChecked: summary.notChecked }
  } finally {
    signal?.removeEventListener('abort', end)
  }
}
