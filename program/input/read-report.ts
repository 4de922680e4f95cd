import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { createAjv } from '../../engine/ajv.ts'
import { isObject } from '../../engine/http/answers.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { Impossible } from '../../engine/impossible.ts'
import { parsed } from '../../engine/parsed.ts'
import type { ClauseReport, Met, Report } from '../../engine/run/report.ts'
import schema from '../../schemas/report.schema.json' with { type: 'json' }
import shapes from '../../schemas/shapes.schema.json' with { type: 'json' }
import { readJson } from './read-json.ts'

const versions: unknown[] = schema.properties.reportVersion.enum

let validate: ValidateFunction<Report> | undefined

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

/** The report that an earlier run left there; undefined: none that can be read. */
export function reportIn(reportsDir: string): Report | undefined {
  const file = join(reportsDir, 'report.json')
  const found = parsed(existsSync(file) ? readFileSync(file, 'utf8') : '') as Partial<Report>
  const isWhole =
    found?.reportVersion === 2 && found.target && found.startedAt && Array.isArray(found.clauses)
  return isWhole ? (found as Report) : undefined
}

/** The file itself, or that of a folder; the reader reports why a path is not accessible. */
export function reportFileAt(path: string): string {
  try {
    return statSync(path).isDirectory() ? join(path, 'report.json') : path
  } catch {
    return path
  }
}

type OldExchange = Omit<Exchange, 'number'>

/** The older form of a report, where each clause held its exchanges. */
export type OldReport = Omit<Report, 'exchanges' | 'clauses' | 'met'> & {
  clauses: (Omit<ClauseReport, 'evidence' | 'breaches'> & { evidence: OldExchange[] })[]
  met?: { owner: string; sentence: string; exchange?: OldExchange }[]
}

const sameBut = ['body', 'bodyBytes', 'requestBody']

/** Converts to the current form: each exchange once. An old report does not say what was judged. */
function upgradedReport(report: Report | OldReport): Report {
  if ('exchanges' in report) return report
  const { clauses, met, ...rest } = report
  const known = new Map<string, Exchange>()
  const numberOf = (exchange: OldExchange): number => {
    const key = JSON.stringify(exchange, (name, value) =>
      sameBut.includes(name) ? undefined : value,
    )
    const earlier = known.get(key)
    const number = earlier?.number ?? known.size + 1
    known.set(key, { ...exchange, ...earlier, number })
    return number
  }
  const upgraded = clauses.map(({ evidence, ...clause }): ClauseReport => {
    const numbers = [...new Set(evidence.map(numberOf))]
    return { ...clause, evidence: numbers.map((exchange) => ({ exchange, role: 'set-up' })) }
  })
  const metNow = met?.map(({ owner, sentence, exchange }): Met => {
    const judged = exchange ? [numberOf(exchange)] : []
    return { owner, sentence, expected: '', got: '', judged, control: [] }
  })
  const exchanges = [...known.values()]
  return { ...rest, exchanges, clauses: upgraded, ...(metNow && { met: metNow }) }
}
