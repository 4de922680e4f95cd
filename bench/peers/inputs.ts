import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../processes.ts'

/** One check: a GET that is to be answered with 200 and a body that fits its schema. */
export type Check = { path: string; kind: Kind; id: string; example: unknown }
type Kind = 'task' | 'assessment'
type Json = Record<string, unknown>

const kinds = {
  task: { path: '/tasks/{id}', operationId: 'readTask' },
  assessment: { path: '/assessments/{id}', operationId: 'readAssessment' },
}

/** Writes the same checks in the form that each peer takes them. */
export async function writeInputs(folder: string, settings: Record<string, string>, count: number) {
  mkdirSync(folder, { recursive: true })
  const { BASE_URL = '', API_KEY = '' } = settings
  const ids = {
    task: `${settings.TASK_IDS},${settings.READ_TASK_IDS}`.split(',').filter(Boolean),
    assessment: `${settings.ASSESSMENT_IDS}`.split(','),
  }
  const bodies = new Map<string, unknown>()
  const checks: Check[] = []
  for (let n = 0; n < count; n += 1) {
    const kind: Kind = n % 2 === 0 ? 'task' : 'assessment'
    const id = ids[kind][(n >> 1) % ids[kind].length] as string
    const path = kinds[kind].path.replace('{id}', id)
    const read = async () =>
      (await fetch(BASE_URL + path, { headers: { apikey: API_KEY } })).json() as Promise<unknown>
    if (!bodies.has(path)) bodies.set(path, await read())
    checks.push({ path, kind, id, example: bodies.get(path) })
  }
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(content, null, 1))
  write('checks.json', { baseUrl: BASE_URL, apiKey: API_KEY, checks })
  write('openapi.json', openapiOf(checks, BASE_URL, API_KEY))
  write('arazzo.json', arazzoOf(checks, API_KEY))
  write('collection.json', collectionOf(checks, BASE_URL, API_KEY))
}

const schemas = {
  task: schemaOf('task.schema.json'),
  assessment: schemaOf('assessment.schema.json'),
}

/** A schema with what it refers to in its place: peers differ in how they find other files. */
function schemaOf(file: string): Json {
  const [name = '', place] = file.split('#/')
  const whole = JSON.parse(readFileSync(join(root, 'schemas', name), 'utf8'))
  const found = (place ?? '').split('/').reduce((at, step) => (step ? at[step] : at), whole)
  const { $schema: _, $id: __, ...rest } = inlined(found, name) as Json
  return rest
}

function inlined(value: unknown, file: string): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(each, file))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as Json
  const more = Object.entries(rest).map(([name, each]) => [name, inlined(each, file)])
  if (typeof $ref !== 'string') return Object.fromEntries(more)
  return { ...schemaOf($ref.startsWith('#') ? file + $ref : $ref), ...Object.fromEntries(more) }
}

function openapiOf(checks: Check[], url: string, apikey: string) {
  const examples = (of: Kind, value: (check: Check) => unknown) =>
    Object.fromEntries(
      checks.flatMap((check, n) =>
        check.kind === of ? [[`check${n}`, { value: value(check) }]] : [],
      ),
    )
  const operation = (kind: Kind) => {
    const parameter = (name: string, where: string, value: (check: Check) => unknown) => ({
      name,
      in: where,
      required: true,
      schema: { type: 'string' },
      examples: examples(kind, value),
    })
    const content = {
      'application/json': {
        schema: schemas[kind],
        examples: examples(kind, ({ example }) => example),
      },
    }
    return {
      operationId: kinds[kind].operationId,
      parameters: [
        parameter('id', 'path', ({ id }) => id),
        parameter('apikey', 'header', () => apikey),
      ],
      responses: { 200: { description: kind, content } },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Reads', version: '5' },
    servers: [{ url }],
    paths: Object.fromEntries(
      (['task', 'assessment'] as const).map((kind) => [kinds[kind].path, { get: operation(kind) }]),
    ),
  }
}

const arazzoOf = (checks: Check[], apikey: string) => ({
  arazzo: '1.0.1',
  info: { title: 'Reads', version: '1' },
  sourceDescriptions: [{ name: 'reads', type: 'openapi', url: 'openapi.json' }],
  workflows: [
    {
      workflowId: 'reads',
      steps: checks.map(({ kind, id }, n) => ({
        stepId: `check${n}`,
        operationId: kinds[kind].operationId,
        parameters: [
          { name: 'id', in: 'path', value: id },
          { name: 'apikey', in: 'header', value: apikey },
        ],
        successCriteria: [{ condition: '$statusCode == 200' }],
      })),
    },
  ],
})

const collectionOf = (checks: Check[], url: string, apikey: string) => ({
  info: {
    name: 'Reads',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: checks.map(({ path, kind }, n) => ({
    name: `check${n}`,
    request: { method: 'GET', url: url + path, header: [{ key: 'apikey', value: apikey }] },
    event: [
      {
        listen: 'test',
        script: {
          exec: [
            `pm.test('status', () => pm.response.to.have.status(200))`,
            `pm.test('body', () => pm.response.to.have.jsonSchema(${JSON.stringify(schemas[kind])}))`,
          ],
        },
      },
    ],
  })),
})
