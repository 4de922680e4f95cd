import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the bench keeps files for as long as it runs. */
export const scratch = join(tmpdir(), `contract-bench-${process.pid}`)

process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
