// The checks of checks.json with bare undici and ajv, eight at a time. Argument: the folder.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { request } from 'undici'

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const { baseUrl, apiKey, checks } = read(join(process.argv[2], 'checks.json'))
const schemas = Object.fromEntries(
  ['task', 'assessment', 'assignment', 'shapes'].map((name) => [
    `${name}.schema.json`,
    read(join(import.meta.dirname, `../../schemas/${name}.schema.json`)),
  ]),
)
const ajv = new Ajv2020({ schemas, allErrors: true, allowUnionTypes: true })
const validates = {
  task: ajv.getSchema('task.schema.json'),
  assessment: ajv.getSchema('assessment.schema.json'),
}

async function work() {
  for (let check = checks.pop(); check; check = checks.pop()) {
    const { statusCode, body } = await request(baseUrl + check.path, {
      headers: { apikey: apiKey },
    })
    const fits = validates[check.kind](await body.json())
    if (statusCode !== 200 || !fits)
      throw new Error(`${check.path}: ${statusCode}, or a body that does not fit`)
  }
}
await Promise.all(Array.from({ length: 8 }, work))
process.exit(0)
