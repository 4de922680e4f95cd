import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../engine/http/retry.ts'
import { testSeed } from '../long.ts'

const root = join(import.meta.dirname, '../..')
const all = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
})
  .toString()
  .split('\n')
const files = all.filter((file) => /\.ts$/.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

test('a file has at most 500 lines, and is one subject', () => {
  const long = files.filter((file) => read(file).split('\n').length > 500)
  expect(long, 'does each still hold one thing?').toEqual([])
})

/** Every suite, table of faults or page exports one; the file says which. */
const ofEachFile = ['faults', 'variants']

test('a folder exports each name once', () => {
  const product = files.filter((file) => !/\.test\.ts$/.test(file))
  const exported = product.flatMap((file) =>
    [
      ...read(file).matchAll(
        /^export (?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm,
      ),
    ]
      .map(([, name = '']) => ({ name, file, place: `${dirname(file)} ${name}` }))
      .filter(({ name }) => !ofEachFile.includes(name)),
  )
  // The overloads of a function stand in one file.
  const twice = [...grouped(exported, ({ place }) => place).values()].filter(
    (same) => new Set(same.map(({ file }) => file)).size > 1,
  )
  const told = twice.map((same) => `${same[0]?.name}: ${same.map(({ file }) => file).join(', ')}`)
  expect(told, 'give the two different names').toEqual([])
})

test('a property without a seed of its own has that of all tests, as has Math.random', () => {
  const { seed } = fc.check(fc.property(fc.nat(), () => true))
  expect([seed, Math.random()]).toEqual([testSeed, seededRandom(testSeed)()])
})

test('no test draws anew, starts a program without SEED, or is skipped in silence', () => {
  const files = execFileSync('git', ['ls-files', 'selftest/*.ts'], { cwd: root }).toString().trim()
  const found = files.split('\n').flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace('randomInt(2 ** 31)', '')
    const drawn = /from '@faker[-]js|random(Int|Bytes)\(|seed: (Date|Math|process)/g
    const skipped = /(test|describe)\.(skip|todo|runIf)\(|\.skipIf\((?!hasNo)/g
    const started = /\{(?![^{}]*SEED)[^{}]*\bHOME\b[^{}]*\}(?! = process\.env)/g
    return [drawn, skipped, started]
      .flatMap((each) => text.match(each) ?? [])
      .map((what) => `${file}: ${what}`)
  })
  expect(found).toEqual([])
})
