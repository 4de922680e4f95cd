import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../helpers/contract/operations.ts'
import { kinds } from '../../helpers/findings/kinds.ts'
import { names } from '../../helpers/settings/table.ts'
import { commands } from '../../program/input/commands.ts'
import { isThere, read, tree } from './tree.ts'

const { scripts } = JSON.parse(read('package.json'))
const pages = tree.filter((file) => /^docs\/[^/]+\.md$/.test(file))
const all = ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', ...pages]

/** The names in a text that do not exist. */
const wrongIn = (text: string, pattern: RegExp, isRight: (found: string) => boolean) =>
  [...text.matchAll(pattern)].flatMap(([, found = '']) => (isRight(found) ? [] : [found]))

test('the README has at most 100 lines, and leads to every page of docs/', () => {
  const text = read('README.md')
  expect(text.split('\n').length).toBeLessThanOrEqual(100)
  expect(pages.filter((page) => !text.includes(`(${page})`))).toEqual([])
})

const folders = [...new Set(tree.map((file) => file.split('/')[0]))].filter(
  (name) => name !== 'reports',
)

test.each(all)('%s names existing scripts and files, and links to them', (file) => {
  const path = new RegExp(`\`((?:${folders.join('|')})/[\\w./-]+\\.\\w+)\``, 'g')
  const isBeside = (to: string) => isThere(join(dirname(file), to.replace(/#.*/, '')))
  const text = read(file)
  expect([
    ...wrongIn(text, /npm run ([a-z]+)/g, (script) => script in scripts),
    ...wrongIn(text, /\]\((?!https?:)([^)\s]+)\)/g, isBeside),
    ...wrongIn(text, path, isThere),
  ]).toEqual([])
})

test('ARCHITECTURE.md is one page, and what it names in a file stands there', () => {
  const text = read('ARCHITECTURE.md')
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(1000)
  const named = [...text.matchAll(/`(\w+)`(?: in| of) `([\w/.-]+\.ts)`/g)]
  expect(named.length).toBeGreaterThan(10)
  const wrong = named.filter(([, name = '', file = '']) => !read(file).includes(name))
  expect(wrong.map(([found]) => found)).toEqual([])
})

const known: readonly string[] = names

test.each(['README.md', ...pages])('commands in %s use existing settings and flags', (file) => {
  const lines = read(file).match(/^.*\bnpm run contract\b.*$/gm) ?? []
  const flags: readonly string[] = [...Object.keys(commands.check.flags), 'help']
  expect([
    ...wrongIn(lines.join('\n'), / --([a-z-]+)/g, (flag) => flags.includes(flag)),
    ...wrongIn(lines.join('\n'), /\b([A-Z][A-Z_]+)=/g, (name) => known.includes(name)),
  ]).toEqual([])
})

test('reports.md has a row for every kind of finding', () => {
  const [, section = ''] = read('docs/reports.md').split('## Findings')
  const rows = [...section.matchAll(/^\| ([a-z]+) +\|/gm)].map(([, kind]) => kind)
  expect(rows.slice(1).sort()).toEqual(Object.keys(kinds).sort())
})

const document = read('schemas/openapi.yaml')
const refs = [...document.matchAll(/\$ref: ['"]?([^'"\s]+)/g)].map(([, ref = '']) => ref)

test('openapi.yaml has every operation', () => {
  const paths = [...document.matchAll(/^ {2}(\/\S*):$/gm)].map(([, path = '']) => path)
  const wanted = new Set(Object.values(operations).map(({ path }) => path))
  expect(paths.sort()).toEqual([...wanted].sort())
})

test('openapi.yaml refers to files and components that are there', () => {
  expect(refs.length).toBeGreaterThan(10)
  const lost = refs.filter((ref) => {
    const [file = '', place = ''] = ref.split('#')
    if (file !== '') return !isThere(`schemas/${file}`)
    const name = place.split('/').at(-1)
    return !document.includes(`\n    ${name}:\n`)
  })
  expect(lost).toEqual([])
})
