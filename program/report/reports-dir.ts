import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectory, writeWhole } from '../../engine/journal/disk.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { statementName } from '../../reporting/seal.ts'
import { orImpossible } from '../input/read-json.ts'
import { makers } from '../run/contract.ts'

const ours = [...Object.keys(makers), statementName]

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
  for (const file of ours) rmSync(join(dir, `${file}.draft`), { force: true })
}

/** Removes the files of an earlier run, so that they are not mistaken for this one's. */
export function removeEarlier(dir: string): void {
  const scripts = join(dir, 'repeat')
  for (const name of existsSync(scripts) ? readdirSync(scripts) : [])
    if (name.endsWith('.sh')) rmSync(join(scripts, name))
  for (const file of ours) rmSync(join(dir, file), { force: true })
}

/** An empty folder for the files that a run keeps; undefined: it keeps none. */
export function emptyFilesDir({
  reportsDir,
  bodies,
}: Pick<Settings, 'reportsDir' | 'bodies'>): string | undefined {
  const files = join(reportsDir, 'files')
  rmSync(files, { recursive: true, force: true })
  if (bodies !== 'all') return undefined
  mkdirSync(files, { mode: 0o700 })
  return files
}
