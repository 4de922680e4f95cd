// The contract's facts in descriptions and services that import none of ours, and in statements.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fieldsOf, fieldsWith, listed } from '../../helpers/contract/fields.ts'
import { metadataKeys } from '../../helpers/contract/metadata-keys.ts'
import { operations, pathOf } from '../../helpers/contract/operations.ts'
import { pdfLimit, pdfLimitInWords } from '../../helpers/contract/pdf-limit.ts'
import { statuses } from '../../helpers/contract/statuses.ts'
import { suite } from '../../program/clauses.ts'
import { errors as referenceErrors } from '../../reference/rules/errors.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { blocksIn, unitsIn } from '../../reporting/parts/contract-text.ts'
import { root } from '../kept.ts'
import { read, tree } from './tree.ts'

const mockFile = join(root, 'docs/examples/mock.mjs')

const units = blocksIn(read('helpers/contract/contract.md')).flatMap(unitsIn)

type Response = { description?: string }
type Described = {
  parameters?: { name?: string; schema?: { properties?: object } }[]
  responses: Record<string, Response>
}
type Api = {
  paths: Record<string, Record<string, Described>>
  components: { examples: Record<string, { value: object }> }
}

const document = read('schemas/openapi.yaml')
const openapi: Api = parse(document)

const inOpenapi = (method: string, path: string): Described | undefined =>
  openapi.paths[path]?.[method.toLowerCase()]

/** The contract's words "Errors: 401, 404 (task not found)." under the heading with this operation. */
function errorsOf(method: string, path: string): string[] {
  const place = units.find(({ text }) => text === `Method and path: ${method} ${path}`)
  const errors = units.find(
    ({ heading, text }) => heading === place?.heading && text.startsWith('Errors: '),
  )
  return (errors?.text.match(/\b\d{3}\b/g) ?? []).sort()
}

test.each(Object.values(operations))('openapi.yaml: $method $path', ({ method, path }) => {
  const described = inOpenapi(method, path)
  expect(described, 'add the operation').toBeDefined()
  const refusals = Object.keys(described?.responses ?? {}).filter((status) => status > '299')
  expect(refusals.sort(), 'its responses are those of contract.md').toEqual(errorsOf(method, path))
})

test('openapi.yaml: the metadata keys', () => {
  const { method, path } = operations.export
  const parameters = inOpenapi(method, path)?.parameters ?? []
  const metadata = parameters.find(({ name }) => name === 'metadata')
  expect(Object.keys(metadata?.schema?.properties ?? {})).toEqual(metadataKeys)
})

test('openapi.yaml: the limit of a PDF', () => {
  const limits = document.match(/[\d,]+(?= events)/g)
  expect(new Set(limits)).toEqual(new Set([pdfLimitInWords]))
})

test('openapi.yaml: its examples have every field', () => {
  for (const [name, { value }] of Object.entries(openapi.components.examples)) {
    const resource = 'workflow_state' in value ? 'assessment' : 'task'
    expect(Object.keys(value).sort(), name).toEqual(fieldsOf(resource).sort())
  }
})

/** The contract's table of errors: the status of each row, by its name. */
const errors = new Map(
  units
    .filter(({ heading, text }) => heading === 'Errors' && /^\d{3} \|/.test(text))
    .map(({ text }) => {
      const [status, name = ''] = text.split(' | ')
      return [name, Number(status)] as const
    }),
)

test('the table of errors has the statuses of the table, and no other', () => {
  const { exported: _, ...refusals } = statuses
  const stated = new Set(errors.values())
  expect(new Set(Object.values(refusals)), 'correct helpers/contract/statuses.ts').toEqual(stated)
})

test('world.schema.json: the metadata keys', () => {
  const { $defs } = JSON.parse(read('schemas/world.schema.json'))
  expect($defs.event.properties.metadata.propertyNames.enum).toEqual(metadataKeys)
})

test('the reference: the fields', () => {
  const { tasks, assessments } = makeWorld(1)
  expect(Object.keys(tasks[0] ?? {}).sort()).toEqual(fieldsOf('task').sort())
  expect(Object.keys(assessments[0] ?? {}).sort()).toEqual(fieldsOf('assessment').sort())
  const shown = read('reference/routes/show.ts')
  const named = (resource: string) =>
    new RegExp(`${resource}:\\s*'([^']*)'`).exec(shown)?.[1]?.split(' ').sort()
  expect(named('task')).toEqual(fieldsOf('task').sort())
  expect(named('assessment')).toEqual(fieldsOf('assessment').sort())
})

test('the reference: the operations', () => {
  const routes = read('reference/service.ts').matchAll(/\.(get|put)\('(\/[^']*)'/g)
  const paths = Array.from(routes, ([, method = '', path]) => `${method.toUpperCase()} ${path}`)
  const wanted = Object.values(operations).map(
    ({ method, path }) => `${method} ${path.replace(/\{\w+\}/, ':id')}`,
  )
  expect(paths.sort()).toEqual([...new Set(wanted)].sort())
})

const python = tree
  .filter((file) => /^selftest\/python-service\/.*\.py$/.test(file))
  .map(read)
  .join('\n')

test('the Python service: the metadata keys', () => {
  const [, keys = ''] = /METADATA_KEYS = \(([^)]*)\)/.exec(python) ?? []
  expect(keys.match(/\w+/g)).toEqual(metadataKeys)
})

test('the Python service: a heading for each metadata key, in each language', () => {
  const [, columns = ''] = /^_PLAIN = \(([^)]*)\)/m.exec(python) ?? []
  const [, languages = ''] = /^_LABELS = \{(.*?)^\}/ms.exec(python) ?? []
  const textsIn = (list: string) => list.match(/"[^"]+"/g)?.length ?? 0
  const counts = Array.from(languages.matchAll(/\(([^)]*)\)/g), ([, list = '']) => textsIn(list))
  const wanted = textsIn(columns) + metadataKeys.length
  expect(counts.length).toBeGreaterThan(0)
  expect(new Set(counts), 'correct _LABELS in selection.py').toEqual(new Set([wanted]))
})

test('the Python service: the limit of a PDF', () => {
  expect(Number(/PDF_LIMIT = ([\d_]+)/.exec(python)?.[1]?.replaceAll('_', ''))).toBe(pdfLimit)
})

function errorsOfPython(): Record<string, number> {
  const [, table = ''] = /^ERRORS = \{([^}]*)\}/m.exec(python) ?? []
  const rows = table.matchAll(/"([^"]+)": (\d+)/g)
  return Object.fromEntries(Array.from(rows, ([, name, status]) => [name, Number(status)]))
}

/** What a table of errors leaves out, says otherwise, or has beyond the contract. */
function differencesFromContract(table: Record<string, number>): string[] {
  const names = new Set([...errors.keys(), ...Object.keys(table)])
  return [...names].flatMap((name) => {
    const stated = errors.get(name)
    const status = table[name]
    if (status === stated) return []
    if (status === undefined) return `${stated} ${name} is left out`
    if (stated === undefined) return `${status} ${name} is not in the contract`
    return `${name} is ${stated} in the contract, and ${status} here`
  })
}

test.each([
  ['the reference', 'reference/rules/errors.ts', referenceErrors],
  ['the Python service', 'ERRORS in selftest/python-service/service/web.py', errorsOfPython()],
])('%s: the table of errors', (_, place, table) => {
  const advice = `correct ${place}, and answer so where the contract says`
  expect(differencesFromContract(table), advice).toEqual([])
})

test('the Python service: the fields', () => {
  const names = (resource: 'task' | 'assessment') =>
    fieldsOf(resource).filter((field) => !new RegExp(`"${field}"`).test(python))
  expect([...names('task'), ...names('assessment')]).toEqual([])
})

test('the Python service: the operations', () => {
  const routes = Array.from(
    python.matchAll(/"([A-Z]+)", PREFIX \+ "([^"]+)"/g),
    ([, method, path]) => `${method} ${path}`,
  )
  const wanted = Object.values(operations).map(({ method, path }) => `${method} ${path}`)
  expect(routes.sort()).toEqual([...new Set(wanted)].sort())
})

test('the mock of docs/mocks.md: its statuses and fields', async () => {
  const { startMock } = await import(mockFile)
  const { apiKey, baseUrl, stop, ...lent } = await startMock()
  const [id] = lent.taskIds
  const path = pathOf('task.read', id)
  const ask = (place: string, headers: Record<string, string>, more: RequestInit = {}) =>
    fetch(`${baseUrl}${place}`, { headers, ...more })
  const key = { apikey: apiKey }
  const stale = { ...key, 'if-match': 'stale' }
  const update = { method: 'PUT', body: '{}' }
  try {
    expect((await ask(path, {})).status).toBe(statuses.badKey)
    expect((await ask(pathOf('task.read', 'unknown'), key)).status).toBe(statuses.unknownId)
    const answer = await ask(pathOf('assign.update', id), stale, update)
    expect(answer.status).toBe(statuses.staleVersion)
    const task = await ask(path, key)
    const shown = (await task.json()) as object
    expect(Object.keys(shown).sort()).toEqual(fieldsOf('task').sort())
  } finally {
    stop()
  }
})

test('the lists of fields in statements are those of the table', () => {
  const isNamed = (field: string, words: string) =>
    words.includes(field) || (words.includes(' names,') && field.endsWith('name'))
  const lacking = (words: string, names: readonly string[]) =>
    names.filter((field) => !isNamed(field, words))
  const typed = fieldsWith('task', ({ form }) => ['integer', 'text', 'object'].includes(form))
  const kept = fieldsWith('task', (field) => field.kept && field.form !== 'id')
  const restless = fieldsWith('task', (field) => field.restless)
  expect(lacking(listed.types.words, typed), 'add it to `listed.types`').toEqual([])
  expect(lacking(listed.kept.words, kept), 'add it to `listed.kept`').toEqual([])
  expect(lacking(listed.restless.words, restless), 'add it to `listed.restless`').toEqual([])
})

/** Statuses, and numbers of events as the contract writes them. */
const numbersIn = (statement: string): string[] =>
  statement.match(/\b[1-5]\d\d\b|\b\d+,\d{3}\b/g) ?? []

test('the numbers of statements are those of the contract', () => {
  const over = (pdfLimit + 1).toLocaleString('en')
  const stated = new Set([...Object.values(statuses).map(String), pdfLimitInWords, over])
  const judging = suite.filter(({ level }) => level !== 'observe')
  const wrong = judging.flatMap(({ id, statement }) =>
    numbersIn(statement)
      .filter((number) => !stated.has(number))
      .map((number) => `${id}: ${number}`),
  )
  expect(wrong, 'npm run restate writes them').toEqual([])
})
