import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Setting } from '../../engine/settings/table.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import { names, table } from '../../helpers/settings/table.ts'
import { commands, type Flag } from '../../program/input/commands.ts'
import { headOf } from '../../program/input/help.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')

/** The rows of the table of settings: name, default and meaning. */
const settingRows = () =>
  [...read('docs/settings.md').matchAll(/^\| ([A-Z_]+) +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, name = '', otherwise = '', meaning = '']) => ({ name, otherwise, meaning }),
  )

const same = (where: string) =>
  `each setting of helpers/settings/table.ts needs an entry in ${where}; copy it from there`

test('docs/settings.md has every setting with its meaning, and no other', () => {
  const written = Object.fromEntries(settingRows().map(({ name, meaning }) => [name, meaning]))
  const wanted = Object.fromEntries(names.map((name) => [name, table[name].meaning]))
  expect(written, same('docs/settings.md, with its meaning')).toEqual(wanted)
})

/** Defaults that readSettings sets and the table lacks. */
const elsewhere: Record<string, string> = {
  SEED: 'drawn anew for each run',
  REPORTS_DIR: 'reports',
  JOURNAL_DIR: 'journal, beside REPORTS_DIR',
}

test('docs/settings.md has the default of every setting', () => {
  const written = Object.fromEntries(settingRows().map((row) => [row.name, row.otherwise]))
  const given = (setting: Setting) => {
    const value = setting.default
    if (typeof value === 'boolean') return value ? '1' : '0'
    return typeof value === 'number' || typeof value === 'string' ? String(value) : 'unset'
  }
  const wanted = names.map((name) => [name, elsewhere[name] ?? given(table[name])])
  expect(written, same('docs/settings.md, with its default')).toEqual(Object.fromEntries(wanted))
  const { seed, reportsDir, journalDir } = readSettings({}, { cwd: '/nowhere' })
  expect([reportsDir, journalDir]).toEqual(['/nowhere/reports', '/nowhere/journal'])
  expect(readSettings({}, { cwd: '/nowhere' }).seed).not.toBe(seed)
})

test('the meaning of a setting that is a number says its bounds', () => {
  for (const name of names) {
    const mistakes: string[] = []
    const mistake = (rest: string): undefined => void mistakes.push(rest)
    table[name].kind('-1', { cwd: '', now: 0, key: '', mistake })
    const [, from, to] = /number from (\d+) to (\d+)/.exec(mistakes.join()) ?? []
    const advice = `${name}: add its bounds to its meaning in helpers/settings/table.ts`
    if (to) expect(table[name].meaning, advice).toContain(`${from} to ${to}`)
    const [, most] = /number above 0 and up to (\d+)/.exec(mistakes.join()) ?? []
    if (most) expect(table[name].meaning, advice).toContain(`up to ${most}`)
  }
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
  const advice = same('.env.example: `# its meaning`, then `# NAME=its example`')
  expect(written.sort(byName), advice).toEqual(wanted.sort(byName))
})

test('docs/settings.md has every flag of a check with its meaning: write them by -u', async () => {
  const cells = Object.entries<Flag>(commands.check.flags).map(([name, flag]) => [
    `\`${headOf(name, flag).replaceAll('|', '\\|')}\``,
    flag.meaning,
  ])
  const rows = cells.map(([head = '', meaning]) => `| ${head.padEnd(21)} | ${meaning} |\n`)
  const told = /(?<=^\| flag .*\n\| -.*\n)(?:\| `--.*\n)*/m
  const page = read('docs/settings.md').replace(told, () => rows.join(''))
  await expect(page).toMatchFileSnapshot('../../docs/settings.md')
})

test('package-lock.json names no address of a registry', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"')
})
