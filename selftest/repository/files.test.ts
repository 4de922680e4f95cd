import { dirname } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grouped } from '../../engine/grouped.ts'
import { seededRandom } from '../../engine/http/retry.ts'
import { testSeed } from '../long.ts'
import { read, tree } from './tree.ts'

const files = tree.filter((file) => file.endsWith('.ts'))

test('a file has at most 500 lines, and is one subject', () => {
  const long = files.filter((file) => read(file).split('\n').length > 500)
  expect(long, 'does each still hold one thing?').toEqual([])
})

/** Every suite, table of faults or page exports one; the file says which. */
const ofEachFile = ['faults', 'variants']

const exports = /^export (?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm

test('a folder exports each name once', () => {
  const product = files.filter((file) => !/\.test\.ts$/.test(file))
  const exported = product.flatMap((file) =>
    [...read(file).matchAll(exports)]
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
  const own = files.filter((file) => file.startsWith('selftest/'))
  const found = own.flatMap((file) => {
    const text = read(file).replace('randomInt(2 ** 31)', '')
    const drawn = /from '@faker[-]js|random(Int|Bytes)\(|seed: (Date|Math|process)/g
    const skipped = /(test|describe)\.(skip|todo|runIf)\(|\.skipIf\((?!hasNo)/g
    const started = /\{(?![^{}]*SEED)[^{}]*\bHOME\b[^{}]*\}(?! = process\.env)/g
    return [drawn, skipped, started]
      .flatMap((each) => text.match(each) ?? [])
      .map((what) => `${file}: ${what}`)
  })
  expect(found).toEqual([])
})
