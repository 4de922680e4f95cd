import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { chance } from '../time/timers.ts'

export function writeWhole(file: string, text: string, how: fs.WriteFileOptions = {}): void {
  const draft = draftOf(file)
  try {
    fs.writeFileSync(draft, text, how)
    fs.renameSync(draft, file)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
}

const draftOf = (file: string) => `${file}.draft`

/** Writes a file atomically and durably: it survives a loss of power. */
export function writeFlushed(file: string, text: string): void {
  const dir = dirname(file)
  fs.mkdirSync(dir, { recursive: true })
  writeWhole(file, text, { mode: 0o600, flush: true })
  flushDirectory(dir)
  // The folder itself may be new.
  flushDirectory(dirname(dir))
}

/** Also the draft of a run that was killed while it wrote. */
export function removeFlushed(file: string): void {
  for (const each of [draftOf(file), file]) fs.rmSync(each, { force: true })
  flushDirectory(dirname(file))
}

/** A name of its own: two runs may begin at once. */
export function tryWriting(dir: string): void {
  const probe = join(dir, `probe-${chance.uuid().slice(0, 8)}`)
  writeFlushed(probe, '')
  removeFlushed(probe)
}

/** Systems without this call do it themselves. */
function flushDirectory(dir: string): void {
  try {
    const handle = fs.openSync(dir, 'r')
    try {
      fs.fsyncSync(handle)
    } finally {
      fs.closeSync(handle)
    }
  } catch {}
}

/** Level by level: Node's recursive mkdir never ends on /proc. */
export function makeDirectory(dir: string, mode = 0o777): void {
  if (fs.existsSync(dir)) return
  makeDirectory(dirname(dir))
  fs.mkdirSync(dir, mode)
}

const known: Record<string, string> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of it is a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return known[code ?? ''] ?? message
}
