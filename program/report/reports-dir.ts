import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Impossible } from '../../engine/impossible.ts'
import { reasonOf, writeWhole } from '../../engine/journal/disk.ts'
import { statementName } from '../../reporting/statement.ts'
import { makers } from '../run/contract.ts'

/** What a run leaves here; of an earlier run's nothing is left, so that it is taken for no other. */
const ours = [...Object.keys(makers), statementName]

/** Makes sure, before the first request, that reports can be written where they are to land. */
export function prepareReportsDir(dir: string): void {
  try {
    makeDirectory(dir)
    if (!statSync(dir).isDirectory()) throw new Error('it is a file')
    accessSync(dir, constants.W_OK)
    const probe = join(dir, '.probe')
    // As much as a report of some size: on a disk that is full an empty file has room all the same.
    writeWhole(probe, ' '.repeat(1 << 20))
    rmSync(probe)
    const scripts = join(dir, 'repeat')
    for (const name of existsSync(scripts) ? readdirSync(scripts) : [])
      if (name.endsWith('.sh')) rmSync(join(scripts, name))
    rmSync(join(dir, 'files'), { recursive: true, force: true })
    for (const file of ours)
      for (const old of [file, `${file}.draft`]) rmSync(join(dir, old), { force: true })
  } catch (error) {
    throw new Impossible(
      `REPORTS_DIR ${dir} cannot be written to (${reasonOf(error)}); give a writable directory.`,
    )
  }
}

/** Level by level: node's own recursion never ends where the system takes no directories (/proc). */
function makeDirectory(dir: string): void {
  if (existsSync(dir)) return
  makeDirectory(dirname(dir))
  mkdirSync(dir)
}

/** Makes the folder beside the reports in which downloaded files are kept. */
export function keptFilesIn(dir: string): string {
  const files = join(dir, 'files')
  mkdirSync(files, { mode: 0o700 })
  return files
}
