// Values, null, sent fields, parameters, times and transitions of helpers/contract, compared with contract.md, the
// reference, the schemas and the texts about settings.
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  assigneeTypes,
  type Field,
  fields,
  headingOfTable,
  requiredFields,
  type SentObject,
  sentFields,
  workflowStates,
} from '../../helpers/contract/fields.ts'
import { encodings, isDeclarable } from '../../helpers/contract/list-encodings.ts'
import { operations } from '../../helpers/contract/operations.ts'
import {
  arrayParameters,
  classes,
  defaultLanguage,
  fileTypes,
  metadataParameter,
  parameters,
} from '../../helpers/contract/parameters.ts'
import { pdfLimitInWords } from '../../helpers/contract/pdf-limit.ts'
import { isDatetime, isTimeZone } from '../../helpers/contract/times.ts'
import { changes, transitions } from '../../helpers/contract/transitions.ts'
import { table as settings } from '../../helpers/settings/table.ts'
import { parameters as referenceParameters } from '../../reference/calls/export-call.ts'
import { stated } from '../../reference/rules/stated.ts'
import { blocksIn, unitsIn } from '../../reporting/parts/contract-text.ts'
import { read } from './tree.ts'

const openapi = read('schemas/openapi.yaml')

const units = blocksIn(read('helpers/contract/contract.md')).flatMap(unitsIn)
const contract = units.map(({ text }) => text).join('\n')
const rows = units
  .filter(({ text }) => text.includes(' | '))
  .map(({ heading, text }) => ({ heading, cells: text.split(' | ') }))
const rowsUnder = (heading: string) =>
  rows.flatMap(({ heading: own, cells }) => (own === heading ? [cells] : []))
const found = (form: RegExp): string => form.exec(contract)?.[1] ?? ''
const listIn = (form: RegExp): string[] => found(form).split(/, | or /)

describe('fields', () => {
  const names = Object.keys(fields) as (keyof typeof fields)[]

  test.each(names)('%s: which can be null, as stated', (name) => {
    const stated = rowsUnder(headingOfTable(name))
    const nulls = stated.filter(([, type = '']) => /\bnull\b/.test(type))
    const table = Object.entries<Field>(fields[name])
    const inTable = table.flatMap(([field, each]) => (each.null ? field : []))
    expect(inTable.toSorted()).toEqual(nulls.map(([field]) => field).toSorted())
  })

  test('the values of a field that has only some', () => {
    const allowed = rows.flatMap(({ cells: [field = '', , notes = ''] }) => {
      const [, values] = /^Allowed values: ([\w, ]*)\.$/.exec(notes) ?? []
      return values === undefined ? [] : [[field, values.split(', ')]]
    })
    const table = { assigned_to_type: assigneeTypes, workflow_state: workflowStates }
    expect(table).toEqual(Object.fromEntries(allowed))
    expect(workflowStates).toEqual(listIn(/Assessment workflow_state: ([\w, ]*)\./))
    for (const type of assigneeTypes) expect(stated.typeIsAllowed({ type } as never)).toBe(true)
  })

  test.each<[SentObject, string]>([
    ['update', 'making the assignment'],
    ['unassign', 'removing the assignment'],
  ])('the %s object, with what it needs', (object, doing) => {
    // Each of the two tables begins with the id of the user who does it.
    const under = rowsUnder('Update a task assignment')
    const starts = under.flatMap(([field], at) => (field === 'assigned_by_id' ? at : []))
    const start = starts.find((at) => under[at]?.[3]?.includes(doing))
    const table = under.slice(
      start,
      starts.find((at) => at > (start ?? 0)),
    )
    expect(table.map(([field]) => field)).toEqual(Object.keys(sentFields[object]))
    const needed = table.flatMap(([field, , isNeeded]) => (isNeeded === 'yes' ? field : []))
    expect(requiredFields(object)).toEqual(needed)
    expect(stated.requiredFields({ op: `assign.${object}` } as never)).toEqual(needed)
    const schema = JSON.parse(read('schemas/update-assignment.schema.json')).properties[object]
    expect(schema.required).toEqual(needed)
    expect(Object.keys(schema.properties)).toEqual(Object.keys(sentFields[object]))
  })

  test('the schemas have the values, and null where it is stated', () => {
    for (const name of Object.keys(fields) as (keyof typeof fields)[]) {
      const { properties } = JSON.parse(read(`schemas/${name}.schema.json`))
      for (const [field, { null: isNull, values }] of Object.entries<Field>(fields[name])) {
        const schema = properties[field]
        if (values) expect(schema.enum, `${name}.${field}`).toEqual(values)
        if (isNull && schema !== true) expect(JSON.stringify(schema)).toContain('"null"')
      }
    }
    const { update } = JSON.parse(read('schemas/update-assignment.schema.json')).properties
    expect(update.properties.assigned_to_type.enum).toEqual(assigneeTypes)
  })
})

describe('parameters of the export', () => {
  const ofExport = rowsUnder('Export audit events').filter(([name = '']) => name in parameters)
  const textOf = (name: keyof typeof parameters) =>
    ofExport.find(([each]) => each === name)?.join(' | ') ?? ''

  test('their names', () => {
    expect(Object.keys(parameters)).toEqual(ofExport.map(([name]) => name))
    expect(rowsUnder('Export audit events')).toHaveLength(ofExport.length)
    expect(referenceParameters).toEqual(arrayParameters)
  })

  test('their values, defaults and examples', () => {
    expect(textOf('file_type')).toContain(`${fileTypes.join(' or ')}. Default ${fileTypes[0]}.`)
    expect(parameters.file_type.default).toBe(stated.defaultFileType({} as never))
    expect(textOf('locale')).toContain(`Default ${defaultLanguage}.`)
    expect(stated.defaultLocale({} as never)).toBe(defaultLanguage)
    for (const name of arrayParameters) {
      const { examples } = parameters[name]
      const [, stated = ''] = /for example (.*)\.$/.exec(textOf(name)) ?? []
      expect(examples.join(' or '), name).toBe(stated)
    }
    const byTitle = ['types', 'subtypes', 'system sources']
    const given = byTitle.map((title) => listIn(new RegExp(`Examples of ${title}: ([\\w, ]*)\\.`)))
    expect(classes.map((name) => parameters[name].examples)).toEqual(given)
  })

  test('a metadata key is written in brackets', () => {
    expect(textOf('metadata')).toContain(`Sent as ${metadataParameter('<key>')}=<value>.`)
  })

  test('times', () => {
    const form = /<(YYYY-MM-DDTHH:MM:SS\.sssZ)>/.exec(textOf('range_start'))?.[1] ?? ''
    const example = form.replace('YYYY-MM-DD', '2025-01-31').replace('HH:MM:SS.sss', '23:59:59.999')
    expect(isDatetime(example)).toBe(true)
    for (const wrong of ['2025-02-30T00:00:00Z', '2025-01-31', '2025-01-31T23:59:59+01:00', ''])
      expect(isDatetime(wrong), wrong).toBe(false)
    expect(textOf('timezone')).toContain('IANA time zone identifier')
    expect(['Europe/Berlin', 'UTC', 'Mars/Olympus_Mons'].map(isTimeZone)).toEqual([
      true,
      true,
      false,
    ])
  })
})

test('the changes of an assignment are those of the table, each to users and teams', () => {
  const given = rowsUnder('States and transitions').filter(([, trigger]) =>
    /^PUT/.test(trigger ?? ''),
  )
  const table = given.map(([from = '', trigger = '', , to = '']) => ({
    from: from.toLowerCase(),
    by: /with an (\w+) object/.exec(trigger)?.[1],
    to: to.toLowerCase().split(' ')[0],
  }))
  expect(Object.values(changes)).toEqual(table)
  const stateOf = (state: string) => (state === 'unassigned' ? state : 'assigned')
  for (const { change, from, to } of Object.values(transitions))
    expect(changes[change]).toMatchObject({ from: stateOf(from), to: stateOf(to) })
  const kinds = (state: string) => (state === 'unassigned' ? [state] : ['user', 'team'])
  const wanted = Object.entries(changes).flatMap(([change, { from, to }]) =>
    kinds(from).flatMap((one) => kinds(to).map((other) => [change, one, other].join(' '))),
  )
  const inTable = Object.values(transitions).map(
    ({ change, from, to }) => `${change} ${from} ${to}`,
  )
  expect(inTable.toSorted()).toEqual(wanted.toSorted())
})

test('openapi.yaml: the parameters of the export, with their values and defaults', () => {
  const { paths } = parse(openapi)
  const described: { $ref?: string; name?: string; schema?: object }[] =
    paths[operations.export.path].get.parameters
  const names = described.map(({ $ref = '', name = $ref.split('/').at(-1) }) => name)
  expect(names).toEqual(Object.keys(parameters))
  const schemaOf = (wanted: string) => described.find(({ name }) => name === wanted)?.schema
  const { values, default: usual } = parameters.file_type
  expect(schemaOf('file_type')).toEqual({ enum: values, default: usual })
  expect(schemaOf('locale')).toMatchObject({ default: defaultLanguage })
})

test('the texts about settings name the limit, the encodings and the version', () => {
  const page = read('docs/settings.md')
  const limits = page.match(/(?<=\bthe |more than )[\d,]{4,}\b/g)
  expect(limits?.length).toBeGreaterThan(1)
  expect(new Set(limits)).toEqual(new Set([pdfLimitInWords]))
  const [, tried = ''] = /it also tries ([^.]*)\./.exec(page.replace(/\s+/g, ' ')) ?? []
  const others = encodings.filter((name) => !isDeclarable(name))
  expect(tried.split(/, | and /).map((word) => word.replace(/s$/, '').toLowerCase())).toEqual(
    others,
  )
  const version = found(/every path is served under (\/v\d+) /)
  expect(settings.BASE_URL.meaning).toContain(`ending in ${version};`)
  expect(openapi).toMatch(new RegExp(`- url: http://\\S+${version}\n`))
})
