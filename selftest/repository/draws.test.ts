import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../engine/http/retry.ts'
import { root } from '../kept.ts'
import { testSeed } from '../long.ts'

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
