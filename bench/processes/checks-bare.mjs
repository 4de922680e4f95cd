// The checks of checks.json with bare undici and ajv, eight at a time. Argument: the folder.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { request } from 'undici'

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const { baseUrl, apiKey, checks } = read(join(process.argv[2], 'checks.json'))
const schemas = ['task', 'assessment', 'assignment', 'shapes'].map((name) =>
  read(join(import.meta.dirname, `../../schemas/${name}.schema.json`)),
)
const ajv = new Ajv2020({ schemas, allErrors: true, allowUnionTypes: true })

async function work() {
  for (let check = checks.pop(); check; check = checks.pop()) {
    const { statusCode, body } = await request(baseUrl + check.path, {
      headers: { apikey: apiKey },
    })
    const fits = ajv.validate(`${check.kind}.schema.json`, await body.json())
    if (statusCode !== 200 || !fits) throw new Error(`${check.path}: ${ajv.errorsText()}`)
  }
}
await Promise.all(Array.from({ length: 8 }, work))
process.exit(0)
