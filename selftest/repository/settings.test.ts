import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { names, table } from '../../helpers/settings/table.ts'
import { checkCommand } from '../../program/input/check-flags.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')

test('docs/settings.md has every setting with its meaning, and no other', () => {
  const rows = [...read('docs/settings.md').matchAll(/^\| ([A-Z_]+) +\| (.*?) +\|$/gm)]
  const written = Object.fromEntries(rows.map(([, name, meaning]) => [name, meaning]))
  expect(written).toEqual(Object.fromEntries(names.map((name) => [name, table[name].meaning])))
})

test('.env.example has every setting with its meaning and example, and no other', () => {
  const entries = [...read('.env.example').matchAll(/^# (.*)\n# ([A-Z_]+)=(.*)$/gm)]
  const written = entries.map(([, meaning, name, example]) => ({ name, meaning, example }))
  const wanted = names.map((name) => {
    const { meaning, example } = table[name]
    return { name, meaning, example }
  })
  const byName = (one: { name?: string }, other: { name?: string }) =>
    String(one.name) < String(other.name) ? -1 : 1
  expect(written.sort(byName)).toEqual(wanted.sort(byName))
})

test('docs/settings.md has every flag but --help', () => {
  const told = [...read('docs/settings.md').matchAll(/^\| `--([a-z-]+)/gm)].map(([, name]) => name)
  expect(told.sort()).toEqual(Object.keys(checkCommand.flags).sort())
})

test.each(['package-lock.json', 'bench/mocks/package-lock.json'])(
  '%s names no address of a registry',
  (file) => {
    expect(read(file)).not.toContain('"resolved"')
  },
)
