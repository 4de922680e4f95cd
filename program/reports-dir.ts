import { accessSync, constants, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../helpers/loans/disk.ts'
import { Impossible } from './impossible.ts'

/** Makes sure, before the first request, that reports can be written where they are to land. */
export function prepareReportsDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true })
    if (!statSync(dir).isDirectory()) throw new Error('it is no directory')
    accessSync(dir, constants.W_OK)
    writeWhole(join(dir, '.probe'), '')
  } catch (error) {
    throw new Impossible(
      `REPORTS_DIR ${dir} cannot be written to (${reasonOf(error)}): give a directory that can.`,
    )
  }
}

/** Writes a file so that nobody ever sees half of it. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.draft`
  writeFileSync(draft, text)
  renameSync(draft, file)
}
