import { createRequire } from 'node:module'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'

const require = createRequire(import.meta.url)

/** Loaded on first use: most threads need none. */
export function createAjv(options: Options): Ajv2020 {
  const loaded: { Ajv2020: typeof Ajv2020 } = require('ajv/dist/2020.js')
  return new loaded.Ajv2020(options)
}
