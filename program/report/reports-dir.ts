import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectory, writeWhole } from '../../engine/journal/disk.ts'
import { statementName } from '../../reporting/seal.ts'
import { orImpossible } from '../input/or-impossible.ts'
import { makers } from '../run/contract.ts'
import { lastName, reportAt } from './last.ts'

/** The files of a run. */
const ours = [...Object.keys(makers), statementName]

/** Checks, before the first request, that reports can be written. */
export const prepareReportsDir = (dir: string): void =>
  orImpossible(
    () => tryOut(dir),
    (reason) => `REPORTS_DIR ${dir} cannot be written to (${reason}); give a writable directory.`,
  )

function tryOut(dir: string): void {
  makeDirectory(dir)
  if (!statSync(dir).isDirectory()) throw new Error('it is a file')
  accessSync(dir, constants.W_OK)
  const probe = join(dir, '.probe')
  // As large as a report: on a full disk an empty file still fits.
  writeWhole(probe, ' '.repeat(1 << 20))
  rmSync(probe)
  rmSync(join(dir, 'files'), { recursive: true, force: true })
  for (const file of ours) rmSync(join(dir, `${file}.draft`), { force: true })
}

/** Removes the files of an earlier run, so that they are not mistaken for this one's; its report is kept apart. */
export function removeEarlier(dir: string): void {
  const [report, last] = ['report.json', lastName].map((name) => join(dir, name)) as [
    string,
    string,
  ]
  // A run of a part does not replace what is known of the whole.
  const isKept = !existsSync(last) || reportAt(report)?.selection === undefined
  if (existsSync(report) && isKept) renameSync(report, last)
  const scripts = join(dir, 'repeat')
  for (const name of existsSync(scripts) ? readdirSync(scripts) : [])
    if (name.endsWith('.sh')) rmSync(join(scripts, name))
  for (const file of ours) rmSync(join(dir, file), { force: true })
}

/** Makes room for the reports, and for the files that are to be kept beside them. */
export function prepareReports(dir: string, keepFiles: boolean): { keepFiles?: string } {
  prepareReportsDir(dir)
  if (!keepFiles) return {}
  const files = join(dir, 'files')
  mkdirSync(files, { mode: 0o700 })
  return { keepFiles: files }
}
