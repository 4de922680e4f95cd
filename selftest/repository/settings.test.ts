import { expect, test } from 'vitest'
import type { Setting } from '../../engine/settings/table.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import { names, table } from '../../helpers/settings/table.ts'
import { commands, type Flag } from '../../program/input/commands.ts'
import { headOf } from '../../program/input/help.ts'
import { read } from './tree.ts'

const same = (where: string) =>
  `each setting of helpers/settings/table.ts needs an entry in ${where}; copy it from there`

/** Defaults that readSettings sets and the table lacks. */
const elsewhere: Record<string, string> = {
  SEED: 'drawn anew for each run',
  REPORTS_DIR: 'reports',
  JOURNAL_DIR: 'journal, beside REPORTS_DIR',
}

const given = ({ default: value }: Setting) => {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'number' || typeof value === 'string' ? String(value) : 'unset'
}

test('docs/settings.md has every setting with its default and meaning, and no other', () => {
  const rows = read('docs/settings.md').matchAll(/^\| ([A-Z_]+) +\| (.*?) +\| (.*?) +\|$/gm)
  const written = Object.fromEntries([...rows].map(([, name, ...cells]) => [name, cells]))
  const cellsOf = (name: (typeof names)[number]) => [
    elsewhere[name] ?? given(table[name]),
    table[name].meaning,
  ]
  const wanted = Object.fromEntries(names.map((name) => [name, cellsOf(name)]))
  expect(written, same('docs/settings.md, with default and meaning')).toEqual(wanted)
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
  const entries = read('.env.example').matchAll(/^# (.*)\n# ([A-Z_]+)=(.*)$/gm)
  const written = [...entries].map(([, meaning, name, example]) => [name, { meaning, example }])
  const wanted = names.map((name) => {
    const { meaning, example } = table[name]
    return [name, { meaning, example }]
  })
  const advice = same('.env.example: `# its meaning`, then `# NAME=its example`')
  expect(Object.fromEntries(written), advice).toEqual(Object.fromEntries(wanted))
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
