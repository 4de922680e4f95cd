import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOf } from '../helpers/loans/disk.ts'
import { Impossible } from './impossible.ts'

/** What a run leaves here; of an earlier run's nothing is left, so that it is taken for no other. */
const ours = ['report.json']

/** Makes sure, before the first request, that reports can be written where they are to land. */
export function prepareReportsDir(dir: string): void {
  try {
    makeDirectory(dir)
    if (!statSync(dir).isDirectory()) throw new Error('it is a file')
    accessSync(dir, constants.W_OK)
    const probe = join(dir, '.probe')
    writeWhole(probe, '')
    rmSync(probe)
    for (const file of ours) rmSync(join(dir, file), { force: true })
  } catch (error) {
    throw new Impossible(
      `REPORTS_DIR ${dir} cannot be written to (${reasonOf(error)}): give a directory that can.`,
    )
  }
}

/** Level by level: node's own recursion never ends where the system takes no directories (/proc). */
function makeDirectory(dir: string): void {
  if (existsSync(dir)) return
  makeDirectory(dirname(dir))
  mkdirSync(dir)
}

/** Writes a file so that nobody ever sees half of it. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.draft`
  writeFileSync(draft, text)
  renameSync(draft, file)
}
