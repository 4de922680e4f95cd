import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { createAjv } from '../../engine/ajv.ts'
import { isObject } from '../../engine/http/answers.ts'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import schema from '../../schemas/report.schema.json' with { type: 'json' }
import shapes from '../../schemas/shapes.schema.json' with { type: 'json' }
import { readJson } from './read-json.ts'
import { upgradedReport } from './upgraded-report.ts'

const versions: unknown[] = schema.properties.reportVersion.enum

// Compiled once, on first use.
let validate: ValidateFunction<Report> | undefined

/** Reads a report, or the report.json of a folder; throws a sentence if it is not one. */
export function readReport(path: string): Report {
  const file = reportFileAt(path)
  const value = readJson(file, {
    unread: (reason) =>
      `${path} has no report that can be read: ${reason}; give a report.json that a run has written.`,
    notJson: (text) =>
      `${file} ${text.trim() === '' ? 'is empty' : 'is not JSON: it may be cut short'}; give a report.json that a run has written.`,
  })
  if (!isObject(value) || !('reportVersion' in value))
    throw new Impossible(`${file} is not a report of this suite; give a report.json.`)
  if (!versions.includes(value.reportVersion))
    throw new Impossible(
      `${file} is a report of version ${JSON.stringify(value.reportVersion)}: this suite reads versions ${versions.join(' and ')}; read it with the suite that wrote it.`,
    )
  validate ??= createAjv({
    allowUnionTypes: true,
    schemas: { 'shapes.schema.json': shapes },
  }).compile<Report>(schema)
  if (validate(value)) return upgradedReport(value)
  const [error] = validate.errors ?? []
  throw new Impossible(
    `${file} is not a complete report: ${error?.instancePath || '/'} ${error?.message}.`,
  )
}

/** The file itself, or that of a folder; the reader reports why a path is not accessible. */
export function reportFileAt(path: string): string {
  try {
    return statSync(path).isDirectory() ? join(path, 'report.json') : path
  } catch {
    return path
  }
}
