import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { createAjv } from '../../engine/ajv.ts'
import { isObject } from '../../engine/http/answers.ts'
import { reasonOf } from '../../engine/journal/disk.ts'
import type { Report } from '../../engine/run/report.ts'
import schema from '../../schemas/report.schema.json' with { type: 'json' }
import shapes from '../../schemas/shapes.schema.json' with { type: 'json' }
import { Impossible } from './mistakes.ts'
import { upgradedReport } from './upgraded-report.ts'

const versions: unknown[] = schema.properties.reportVersion.enum

// Compiled once, and only by who reads a report.
let validate: ValidateFunction<Report> | undefined

/** Reads a report, or the report.json of a folder; what cannot be read as one is told in a sentence. */
export function readReport(path: string): Report {
  const { file, text } = read(path)
  const value = parsed(file, text)
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

function read(path: string) {
  try {
    const file = statSync(path).isDirectory() ? join(path, 'report.json') : path
    return { file, text: readFileSync(file, 'utf8') }
  } catch (error) {
    throw new Impossible(`${path} has no report that can be read: ${reasonOf(error)}.`)
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const what = text.trim() === '' ? 'is empty' : 'is not JSON: it may be cut short'
    throw new Impossible(`${file} ${what}; give a report.json that a run has written.`)
  }
}
