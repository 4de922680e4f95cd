import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOf, writeWhole } from '../../engine/journal/disk.ts'
import type { Report } from '../../engine/run/report.ts'
import { makers } from '../run/contract.ts'

export type Written = {
  /** paths, report.json first */
  files: string[]
  /** what could not be made or written; it costs nobody the verdict or the other files */
  failed: { file: string; reason: string }[]
}

/** Writes everything that is made of a report, each file whole; the report must be free of the key. */
export function writeReports(report: Report, dir: string, made = makers): Written {
  const written: Written = { files: [], failed: [] }
  for (const [name, make] of Object.entries(made)) {
    const file = join(dir, name)
    try {
      if (!existsSync(dirname(file))) mkdirSync(dirname(file))
      writeWhole(file, make(report))
      written.files.push(file)
    } catch (error) {
      written.failed.push({ file, reason: reasonOf(error) })
    }
  }
  return written
}
