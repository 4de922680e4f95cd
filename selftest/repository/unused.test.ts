// What the repository holds and nothing uses.

import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { nameInCode } from '../../engine/settings/table.ts'
import { names } from '../../helpers/settings/table.ts'
import { read, tree } from './tree.ts'

const sources = new Map(
  tree.filter((file) => /\.[cm]?[jt]s$/.test(file)).map((file) => [file, read(file)]),
)
const isTest = (file: string) => file.startsWith('selftest/')

/** The names that a source imports, as `file name`; of a file that it loads whole, all words of the source. */
function importsIn(file: string, text: string): Set<string> {
  const from = (path: string, words: readonly string[]) =>
    words.map((word) => `${join(dirname(file), path)} ${word}`)
  const lists = text.matchAll(/\{([^{}]*)\} from '(\.[^']+)'/g)
  const whole = text.matchAll(/\* as \w+ from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)
  const words = text.match(/\w+/g) ?? []
  return new Set([
    ...[...lists].flatMap(([, list = '', path = '']) => from(path, list.match(/\w+/g) ?? [])),
    ...[...whole].flatMap(([, all, loaded]) => from(all ?? loaded ?? '', words)),
  ])
}

const imports = [...sources].map(([file, text]) => ({ file, imported: importsIn(file, text) }))

/** Others import these: users of the package, vitest, Stryker, a bundle in simulated time. */
const isForOthers = (file: string) =>
  /^(index|vitest)\.ts$|config\.ts$|^docs\/|^selftest\/(simulated|mutants)\//.test(file)

/** What only tests may have to forget. */
const forTests = ['forgetChosen']

const exported = /^export (?:async )?(?:const|function\*?|class|type) (\w+)/gm

test('another file imports every export, and more than tests use it', () => {
  const unused = [...sources].flatMap(([file, text]) => {
    const isUnused = (name: string) => {
      const users = imports.filter(({ imported }) => imported.has(`${file} ${name}`))
      const isUsedHere = text.split(new RegExp(`\\b${name}\\b`)).length > 2
      const isUsed = isTest(file) || isUsedHere || users.some((user) => !isTest(user.file))
      return users.length === 0 || !(isUsed || forTests.includes(name))
    }
    const all = [...text.matchAll(exported)].map(([, name = '']) => name)
    return isForOthers(file) ? [] : all.filter(isUnused).map((name) => `${file}: ${name}`)
  })
  expect(unused, 'Remove it, or the word export.').toEqual([])
})

test('the program reads every setting', () => {
  const table = 'helpers/settings/table.ts'
  const program = [...sources].filter(([file]) => !isTest(file) && file !== table)
  const isRead = (name: string) => {
    const word = new RegExp(`\\b${nameInCode(name)}\\b`)
    return program.some(([, text]) => word.test(text))
  }
  expect(names.filter((name) => !isRead(name))).toEqual([])
})

test('a script, a test or the package reaches every source', () => {
  const tests = tree.filter((file) => file.endsWith('.test.ts'))
  const reached = new Set(['package.json', 'vitest.config.ts', ...tests])
  for (const file of reached) {
    // A thread is started from TypeScript, or from what is built of it.
    const text = read(file).replaceAll(/\$\{[^{}]*\}/g, '.ts $&')
    for (const path of text.match(/[\w./-]+/g) ?? [])
      for (const named of [join(dirname(file), path), path])
        if (sources.has(named)) reached.add(named)
  }
  expect([...sources.keys()].filter((file) => !reached.has(file))).toEqual([])
})
