import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { names } from '../../helpers/settings/table.ts'
import { table as flags } from '../../program/input/flags.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')

test('the README has every setting in its table, and no other', () => {
  const described = [...read('README.md').matchAll(/^\| ([A-Z_]+) +\|/gm)].map(([, name]) => name)
  expect(described.sort()).toEqual([...names].sort())
})

test('.env.example has every setting, and no other', () => {
  const described = [...read('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(described.sort()).toEqual([...names].sort())
})

test('the README has every flag but --help', () => {
  const described = [...read('README.md').matchAll(/^\| `--([a-z-]+)/gm)].map(([, name]) => name)
  expect(described.sort()).toEqual(
    Object.keys(flags)
      .filter((name) => name !== 'help')
      .sort(),
  )
})

test.each(['package-lock.json', 'bench/mocks/package-lock.json'])(
  '%s names no address of a registry',
  (file) => {
    expect(read(file)).not.toContain('"resolved"')
  },
)
