import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Vitest runs this once: creates a folder for what the tests of a worker share, and removes it at the end. */
export default function setup() {
  const place = mkdtempSync(join(tmpdir(), 'contract-'))
  process.env.WORKER_FOLDERS = place
  return () => rmSync(place, { recursive: true, force: true })
}
