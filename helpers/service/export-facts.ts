import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createAjv } from '../../engine/ajv.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Parser, shown } from '../../engine/settings/parsers.ts'
import {
  arrayParameters,
  type Encoding,
  encodeList,
  encodings,
  metadataKeys,
} from './operations.ts'

export const forms = ['plain', 'label', 'inside'] as const

/** a header, or the position from 1 on without a header row */
export type ColumnName = string | number

export type ExportFacts = {
  delimiter?: string
  encoding?: string
  columns?: readonly string[] | number
  fields?: { [field: string]: { column: ColumnName; form: (typeof forms)[number] } | null }
  time?: { columns: readonly ColumnName[]; zone: 'UTC' | 'not known' }
  lists?: Encoding
  timezones?: readonly string[]
  locales?: readonly string[]
  pdf?: { columns: readonly ColumnName[]; letters: number }
}

export type FactBook = { declared: ExportFacts; found: ExportFacts }

const column = { type: ['string', 'integer'] }
const texts = { type: 'array', items: { type: 'string' } }
const columns = { type: 'array', items: column, minItems: 1 }

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    delimiter: { type: 'string' },
    encoding: { type: 'string' },
    columns: { anyOf: [texts, { type: 'integer' }] },
    fields: {
      type: 'object',
      propertyNames: { enum: [...arrayParameters, ...metadataKeys] },
      additionalProperties: {
        type: ['object', 'null'],
        required: ['column', 'form'],
        additionalProperties: false,
        properties: { column, form: { enum: forms } },
      },
    },
    time: {
      type: 'object',
      required: ['columns', 'zone'],
      additionalProperties: false,
      properties: { columns, zone: { enum: ['UTC', 'not known'] } },
    },
    lists: { enum: encodings },
    timezones: texts,
    locales: texts,
    pdf: {
      type: 'object',
      required: ['columns', 'letters'],
      additionalProperties: false,
      properties: { columns, letters: { type: 'integer', minimum: 1 } },
    },
  },
}

const hint = 'give the path of a report.json of this suite, or of a file with its exportFacts'

export const exportFacts: Parser<ExportFacts> = (text, reading) => {
  const name = shown(text, reading)
  let content: unknown
  try {
    content = JSON.parse(readFileSync(resolve(reading.cwd, text), 'utf8'))
  } catch (error) {
    const { code = 'no JSON' } = error as NodeJS.ErrnoException
    return reading.mistake(`names ${name}, which cannot be read (${code}); ${hint}.`)
  }
  const isReport = content instanceof Object && 'reportVersion' in content
  const facts = isReport ? (content as { exportFacts?: unknown }).exportFacts : content
  if (facts === undefined)
    return reading.mistake(`names ${name}, a report without export facts; ${hint}.`)
  const validate = createAjv({ allowUnionTypes: true }).compile(schema)
  if (validate(facts)) return facts as ExportFacts
  const [{ instancePath = '', message = '', params = {}, propertyName = '' } = {}] =
    validate.errors ?? []
  const where = instancePath.slice(1).replaceAll('/', '.') || 'the file'
  const strange = String(params.additionalProperty ?? propertyName)
  const wrong = strange ? `has ${shown(strange, reading)}, which is not a fact` : message
  return reading.mistake(`names ${name}, in which ${where} ${wrong}; ${hint}.`)
}

export function placeOf(name: ColumnName, what: string, header: readonly string[] | undefined) {
  const place = typeof name === 'number' ? name - 1 : (header?.indexOf(name) ?? -1)
  if (place >= 0) return place
  throw new NotDecidable(
    'setting',
    `correct EXPORT_FACTS: it says that the column ${name} shows ${what}, and the export has ${header ? `the columns ${header.join(', ')}` : 'no column headers'}`,
  )
}

export const columnName = (place: number, header: readonly string[] | undefined): ColumnName =>
  header?.[place] ?? place + 1

const compared = ['delimiter', 'encoding', 'columns'] as const

export const contradicted = (declared: ExportFacts, found: ExportFacts): string[] =>
  compared.flatMap((name) => {
    const [said, seen] = [declared[name], found[name]].map((fact) => JSON.stringify(fact))
    if (said === undefined || seen === undefined || said === seen) return []
    return `EXPORT_FACTS says that ${name} of the export is ${said}, and it is ${seen}`
  })

const howShown = { plain: 'as they are', label: 'as labels', inside: 'among other text' }

const exampleOf = (encoding: Encoding) =>
  decodeURIComponent(encodeList('event_type', ['A', 'B'], encoding).join('&'))

export function describeExportFacts(facts: ExportFacts): [string, string][] {
  const { delimiter, encoding, columns, fields = {}, time, lists, timezones, locales, pdf } = facts
  const inForm = (form: (typeof forms)[number]) =>
    Object.entries(fields).flatMap(([field, shown]) => {
      if (shown?.form !== form) return []
      return shown.column === field ? field : `${field} in ${shown.column}`
    })
  const unknown = Object.keys(fields).filter((field) => fields[field] === null)
  const said: [string, string | undefined][] = [
    ['Cells of a CSV are separated by', delimiter && JSON.stringify(delimiter)],
    ['A CSV is encoded as', encoding],
    [
      'Columns of a CSV',
      typeof columns === 'number' ? `${columns}, without column headers` : columns?.join(', '),
    ],
    ...forms.map((form): [string, string] => [
      `Filters whose values a column shows ${howShown[form]}`,
      inForm(form).join(', '),
    ]),
    ['Filters whose values no column shows', unknown.join(', ')],
    [
      'The time of an event is in',
      time &&
        `${time.columns.join(' and ')}, ${time.zone === 'UTC' ? 'in UTC' : 'in an unknown zone'}`,
    ],
    ['A list in a query is written as', lists && exampleOf(lists)],
    ['Time zones that were tried and are accepted', timezones?.join(', ')],
    ['Languages that were tried and are accepted', locales?.join(', ')],
    [
      'Events in a PDF are told apart by',
      pdf && `the first ${pdf.letters} letters of ${pdf.columns.join(' and ')}`,
    ],
  ]
  return said.flatMap(([about, fact]): [string, string][] => (fact ? [[about, fact]] : []))
}
