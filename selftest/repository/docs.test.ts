import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../helpers/service/operations.ts'
import { names } from '../../helpers/settings/table.ts'
import { commands } from '../../program/input/commands.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { scripts } = JSON.parse(read('package.json'))
const pages = readdirSync(join(root, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`)
const all = ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', ...pages]

/** The names in a page that do not exist. */
const wrongIn = (file: string, pattern: RegExp, isRight: (found: string) => boolean) =>
  [...read(file).matchAll(pattern)].flatMap(([, found = '']) => (isRight(found) ? [] : [found]))

test('the README has at most 100 lines, and leads to every page of docs/', () => {
  const text = read('README.md')
  expect(text.split('\n').length).toBeLessThanOrEqual(100)
  expect(pages.filter((page) => !text.includes(`(${page})`))).toEqual([])
})

const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['reports', 'node_modules'].includes(entry.name))
  .map(({ name }) => name)

test.each(all)('%s names existing scripts and files, and links to them', (file) => {
  const path = new RegExp(`\`((?:${folders.join('|')})/[\\w./-]+\\.\\w+)\``, 'g')
  const isThere = (to: string) => existsSync(join(root, dirname(file), to.replace(/#.*/, '')))
  expect([
    ...wrongIn(file, /npm run ([a-z]+)/g, (script) => script in scripts),
    ...wrongIn(file, /\]\((?!https?:)([^)\s]+)\)/g, isThere),
    ...wrongIn(file, path, (to) => existsSync(join(root, to))),
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

test('commands in the pages use existing settings and flags', () => {
  for (const file of ['README.md', ...pages]) {
    const lines = [...read(file).matchAll(/^.*\bnpm run contract\b.*$/gm)].map(([line]) => line)
    for (const line of lines) {
      const flags = [...line.matchAll(/ --([a-z-]+)/g)].map(([, flag = '']) => flag)
      const unknown = flags.filter((flag) => !(flag in commands.check.flags) && flag !== 'help')
      const set = [...line.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name)
      expect({ line, unknown, unset: set.filter((name) => !known.includes(name)) }).toEqual({
        line,
        unknown: [],
        unset: [],
      })
    }
  }
})

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
