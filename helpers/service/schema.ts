import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { createAjv } from '../../engine/ajv.ts'
import shapes from '../../schemas/shapes.schema.json' with { type: 'json' }
import updateAssignment from '../../schemas/update-assignment.schema.json' with { type: 'json' }
import { schemas as schemasOfTables } from '../contract/fields.ts'

const schemas = { ...schemasOfTables, 'update-assignment': updateAssignment }

export type SchemaName = keyof typeof schemas

export type Departure = {
  path: string
  kind: 'missing' | 'form'
  wanted: { kind: 'form'; form: string }
  got?: unknown
}

// The files have no $id: tools that read openapi.yaml resolve references by place.
const fileOf = (name: string) => `${name}.schema.json`

function openCompiler(): Ajv2020 {
  const ajv = createAjv({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    // The tests check that these are schemas: compiling the meta-schema is slow.
    meta: false,
    validateSchema: false,
    schemas: { [fileOf('shapes')]: shapes },
  })
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, fileOf(name))
  return ajv
}

let compiler: Ajv2020 | undefined
const compiled = new Map<SchemaName, ValidateFunction>()

export function problemsOf(name: SchemaName, value: unknown): Departure[] {
  let validate = compiled.get(name)
  if (!validate) {
    compiler ??= openCompiler()
    validate = compiler.getSchema(fileOf(name)) as ValidateFunction
    compiled.set(name, validate)
  }
  if (validate(value)) return []
  return inWords(validate.errors ?? [])
}

function inWords(errors: ErrorObject[]): Departure[] {
  const located = errors.map((error) => ({ error, path: pathOf(error) }))
  const choices = located.filter(({ error }) => error.keyword === 'anyOf').map(({ path }) => path)
  const problems = new Map<string, Departure>()
  for (const { error, path } of located) {
    // Of "an X or null", report only the X branch, and only if it breaks.
    const deeper = located.some((other) => other.path.startsWith(path === '' ? '' : `${path}.`))
    if (choices.includes(path) && path !== '' && deeper) continue
    if (problems.has(path)) continue
    problems.set(path, problemOf(error, path))
  }
  return [...problems.values()]
}

function pathOf(error: ErrorObject): string {
  const steps = error.instancePath.split('/').slice(1)
  if (error.keyword === 'required') steps.push(String(error.params.missingProperty))
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
}

function problemOf(error: ErrorObject, path: string): Departure {
  if (error.keyword === 'required')
    return { path, kind: 'missing', wanted: { kind: 'form', form: 'present' } }
  const wanted = { kind: 'form' as const, form: expectationOf(error) }
  return { path, kind: 'form', wanted, got: error.data }
}

/** Of "an X or null", the X: a value that is set has to be one. */
function expectationOf({ keyword, params, parentSchema }: ErrorObject): string {
  if (keyword === 'enum') return params.allowedValues.join(' or ')
  const { title, description } = parentSchema ?? {}
  if (typeof title === 'string') return title
  if (typeof description === 'string') return description.replace(/[:.].*$/s, '')
  if (keyword === 'type')
    return [params.type]
      .flat()
      .join(' or ')
      .replace(/ or null$/, '')
  return 'as the schema asks'
}
