import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'

describe('the tables', () => {
  const folder = join(import.meta.dirname, '../../reference')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const text = (file: string) => readFileSync(join(folder, file), 'utf8')
  const isTable = (file: string) => /^rules\/(stated|open)(-\w+)?\.ts$/.test(file)
  const service = files.filter((file) => !isTable(file)).map(text)
  const tables = files.filter(isTable).map(text)

  test.each([
    ...Object.keys(stated).map((rule) => ['stated', rule] as const),
    ...Object.keys(open).map((rule) => ['open', rule] as const),
  ])('%s.%s is asked by the service and says what it decides', (table, rule) => {
    const asked = new RegExp(`\\b${table}\\.${rule}\\(`)
    expect(service.some((code) => asked.test(code))).toBe(true)
    expect(tables.some((code) => new RegExp(`\\*/\\n {2}${rule}: [(<]`).test(code))).toBe(true)
  })

  test('and the service import nothing from outside reference/', () => {
    for (const file of files)
      for (const [, path = ''] of text(file).matchAll(/from '(\.[^']+)'/g))
        expect(relative(folder, join(folder, dirname(file), path)), file).not.toMatch(/^\.\./)
  })
})
