import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { secretFinder } from '../../engine/http/redaction.ts'
import { reasonOf, writeWhole } from '../../engine/journal/disk.ts'
import { exitCodeOf } from '../../engine/run/exit-code.ts'
import type { Report } from '../../engine/run/report.ts'
import { consoleOf, type Out } from '../../reporting/console.ts'
import { present } from '../../reporting/parts/texts.ts'
import { withRepeats } from '../../reporting/repeat/repeats.ts'
import { statementName, statementOf } from '../../reporting/seal.ts'
import { makers as all, contract, type makers } from '../run/contract.ts'
import { removeEarlier } from './reports-dir.ts'

export type Checked = { exitCode: number; report?: Report }

export type Finishing = {
  dir: string
  /** the key first, then everything else that no file may hold */
  secrets: readonly string[]
  out: Out
  verbose: boolean
  colour?: boolean
  signal?: 'SIGINT' | 'SIGTERM'
  makers?: typeof all
}

export function finish(found: Report, finishing: Finishing): Checked {
  const { dir, secrets, out, verbose, colour, signal } = finishing
  const { makers = all } = finishing
  const { report, scripts } = withRepeats(found, contract)
  // No report, no scripts.
  const made = 'report.json' in makers ? { ...makers, ...scripts } : makers
  if ('report.json' in makers) removeEarlier(dir)
  const files: string[] = []
  // A report that cannot be made or written must not cost the verdict or the other files.
  const failed: string[] = []
  const write = (name: string, make: (report: Report) => string) => {
    const file = join(dir, name)
    try {
      if (!existsSync(dirname(file))) mkdirSync(dirname(file))
      writeWhole(file, make(report))
      files.push(file)
    } catch (error) {
      failed.push(`could not be written: ${file} (${reasonOf(error)})`)
    }
  }
  for (const [name, make] of Object.entries(made)) write(name, make)
  if ('report.json' in makers) {
    const written = files.map((file) => ({ name: relative(dir, file), bytes: readFileSync(file) }))
    write(statementName, () => statementOf(report, written))
  }
  const kept = existsSync(join(dir, 'files')) ? readdirSync(join(dir, 'files')) : []
  const searched = [...files, ...kept.map((name) => join(dir, 'files', name))]
  const { removed, unsearched } = removeLeaks(searched, secrets, makers, report)
  const left = files.filter((file) => !removed.includes(file) && !file.endsWith('.sh'))
  out.write(consoleOf(report, { verbose, files: left, colour }))
  const isRecordLost = report.record && Object.keys(report.record).length === 0
  const leaks = present([removed, isRecordLost && 'the record of this run'])
  const notes = [
    ...unsearched.map(
      (file) =>
        `could not check ${file} for a leaked API_KEY: the key is an ordinary word of that file`,
    ),
    ...failed,
    ...leaks.map(
      (file) =>
        `LEAK: ${file} contained API_KEY and was deleted. This is a bug in the suite: report it`,
    ),
  ]
  for (const note of notes) out.write(`  ${note}\n`)
  const trouble = { leaked: leaks.length > 0, unwritten: failed.length > 0 }
  return { exitCode: exitCodeOf({ verdict: report.verdict, signal, ...trouble }), report }
}

/** A key that may be a common word, as mocks accept. Any other key in a file has leaked. */
const word = /^[a-z-]{1,12}$/i

/** A key such as "test" also occurs in the suite's own words: that is not a leak. */
function removeLeaks(
  files: readonly string[],
  secrets: readonly string[],
  made: typeof makers,
  report: Report,
) {
  const removed: string[] = []
  // The files whose own words contain the secret.
  const unsearched: string[] = []
  for (const secret of secrets.filter(Boolean)) {
    const holds = secretFinder(secret)
    const left = files.filter((file) => !removed.includes(file))
    for (const file of left.filter((each) => holds(readFileSync(each)))) {
      const own = word.test(secret) ? made[basename(file)]?.(blankOf(report)) : undefined
      if (own && holds(Buffer.from(own))) unsearched.push(file)
      else {
        rmSync(file)
        removed.push(file)
      }
    }
  }
  return { removed, unsearched }
}

/** Replaces values from the service in a report. */
const blanks: Record<string, unknown> = {
  baseUrl: 'http://-',
  path: '/?a=b',
  headers: { 'content-type': 'application/json' },
  requestHeaders: { apikey: '(configured)' },
  body: '{}',
  requestBody: '{}',
  observed: '-',
}

const ownWords = /^(id|level|verdict|cause|role|method|start|startedAt|until)$/

/** The report without any value from the service: its files hold the suite's own words alone. */
export const blankOf = (report: Report): Report =>
  JSON.parse(
    JSON.stringify(report, (key, value) => {
      if (key in blanks) return blanks[key]
      return typeof value === 'string' && !ownWords.test(key) && key !== '' ? '-' : value
    }),
  )
