import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../helpers/service/operations.ts'

const schemas = join(import.meta.dirname, '../../schemas')
const document = readFileSync(join(schemas, 'openapi.yaml'), 'utf8')
const refs = [...document.matchAll(/\$ref: ['"]?([^'"\s]+)/g)].map(([, ref = '']) => ref)

test('openapi.yaml has every operation', () => {
  const paths = [...document.matchAll(/^ {2}(\/\S*):$/gm)].map(([, path = '']) => path)
  const wanted = Object.values(operations).map(({ path }) =>
    decodeURIComponent(path('{id}')).replace(/\?.*$/s, ''),
  )
  expect(paths.map((path) => path.replace(/\{\w+\}/, '{id}')).sort()).toEqual(
    [...new Set(wanted)].sort(),
  )
})

test('openapi.yaml refers to files and components that are there', () => {
  expect(refs.length).toBeGreaterThan(10)
  const lost = refs.filter((ref) => {
    const [file = '', place = ''] = ref.split('#')
    if (file !== '') return !existsSync(join(schemas, file))
    const name = place.split('/').at(-1)
    return !document.includes(`\n    ${name}:\n`)
  })
  expect(lost).toEqual([])
})
