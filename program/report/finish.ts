import { exitCodeOf } from '../../engine/run/exit-code.ts'
import type { Report } from '../../engine/run/report.ts'
import { type Out, summaryOf } from '../../reporting/console.ts'
import { withRepeats } from '../../reporting/repeat/repeats.ts'
import { makers as all } from '../run/contract.ts'
import { removeLeaks } from './leaks.ts'
import { writeReports } from './write-reports.ts'

export type Checked = { exitCode: number; report?: Report }

export type Finishing = {
  /** where reports land */
  dir: string
  /** the key first, and whatever else must be in no file */
  secrets: readonly string[]
  out: Out
  verbose: boolean
  signal?: 'SIGINT' | 'SIGTERM'
  makers?: Parameters<typeof writeReports>[2]
}

/** Writes a report in every form, looks for the key in what was written, and tells the result. */
export function finish(found: Report, finishing: Finishing): Checked {
  const { dir, secrets, out, verbose, signal, makers = all } = finishing
  const { report, scripts } = withRepeats(found)
  // Whoever wants no report wants no script of it.
  const isKept = 'report.json' in makers
  const { files, failed } = writeReports(report, dir, { ...makers, ...(isKept ? scripts : {}) })
  const { removed, unsearched } = removeLeaks(files, secrets, makers)
  const left = files.filter((file) => !removed.includes(file) && !file.endsWith('.sh'))
  out.write(summaryOf(report, { verbose, files: left }))
  for (const file of unsearched)
    out.write(
      `  could not check ${file} for a leaked API_KEY: the key is an ordinary word of that file\n`,
    )
  for (const { file, reason } of failed) out.write(`  could not be written: ${file} (${reason})\n`)
  for (const file of removed)
    out.write(
      `  LEAK: ${file} contained API_KEY and was deleted. This is a bug in the suite: report it\n`,
    )
  const trouble = { leaked: removed.length > 0, unwritten: failed.length > 0 }
  return { exitCode: exitCodeOf({ verdict: report.verdict, signal, ...trouble }), report }
}
