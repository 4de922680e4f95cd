import { accessSync, constants, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const known: Record<string, string> = {
    EEXIST: 'it is a file',
    ENOTDIR: 'a part of it is a file',
    EACCES: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
  }
  return known[code ?? ''] ?? message
}
