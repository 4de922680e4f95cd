import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { root } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import { runOrder } from './child.ts'
import { instrumented } from './instrument.ts'
import { listFiles, type Module, readModule } from './modules.ts'
import { mutantsIn, type Operator } from './mutants.ts'
import { judge } from './search.ts'

const seed = 1
const file = 'selftest/lines/made-up/lamps.ts'
const { mutants, base } = readModule(file, seed) as Module

/** Every change of some seeds, without the name of the file. */
const changesIn = (text: string): string[] => {
  const seeds = Array.from({ length: 40 }, (_, at) => at)
  const found = seeds.flatMap((each) => mutantsIn(text, 'a.ts', each))
  return [...new Set(found.map(({ name, put }) => `${name.slice('a.ts '.length)} → ${put}`))].sort()
}

test.for<[Operator, string, string[]]>([
  ['negate', 'const f = (a) => a ? 1 : 2', ['f negate a → !(a)']],
  ['negate', 'const f = (a) => !a', ['f negate !a → a']],
  [
    'shift',
    'const f = (a) => (a + b) < c',
    ['f negate (a + b) < c → !((a + b) < c)', 'f shift (a + b) < c → (a + b) <= c'],
  ],
  ['shift', 'const f = (a) => (a - b) - 1', ['f shift (a - b) - 1 → (a - b) ']],
  ['drop', 'async () => {\n  await f()\n}', ['module drop await f() → undefined']],
  ['return', 'function f() {\n  throw 1\n}', ['f return → ']],
  ['swap', 'const x = f(a, b, c)', ['module swap f(a, b, c) → f(b, a, c)']],
  ['empty', 'const x = [a]', ['module empty [a] → []']],
  ['empty', 'const x = a.map(f)', ['module empty a.map(f) → []']],
])('%s: %s', ([, text, expected]) => {
  const found = changesIn(text)
  expect(found.filter((each) => !each.startsWith('module return'))).toEqual(expected)
})

test('types, parts of an optional chain and beginnings of a statement are left alone', () => {
  expect(changesIn('type A = [b]\nconst x = a?.b(c, d).e')).toEqual([])
  expect(changesIn('a.map(f).length')).toEqual([])
})

test('a line has one mutant, whose name outlives lines that move', () => {
  const text = readFileSync(join(root, file), 'utf8')
  const names = (of: string) => mutantsIn(of, file, seed).map(({ name }) => name)
  expect(names(`\n\n${text}`)).toEqual(names(text))
  const lines = mutants.map(({ line }) => line)
  expect(new Set(lines).size).toBe(lines.length)
})

test('a module of the product can be read with its mutants', () => {
  for (const path of sampleOf(listFiles(), 20, Number(process.env.PROVE_SEED ?? 1))) {
    const module = readModule(path, seed) as Module
    const text = readFileSync(join(root, path), 'utf8')
    const made = instrumented(text, module.mutants, { runtime: './runtime.ts', base: module.base })
    expect(() => parseAst(made, { lang: 'ts' }), path).not.toThrow()
  }
})

describe.concurrent('a mutant meets the tests that come by:', () => {
  const awake = async (name: string, ms = 120_000) => {
    const mutant = mutants.find((each) => each.name === `${file} ${name}`)
    if (!mutant) throw new Error(`no ${name} among ${mutants.map((each) => each.name).join('; ')}`)
    const order = { seed, on: base + mutant.line, files: ['selftest/lines/made-up/lamps.test.ts'] }
    return judge(await runOrder({ ...order, proofs: [] }, { ms: 180_000, msOf: () => ms }))
  }

  test('killed, where one is red', async () => {
    const { state, by } = await awake('nextPower return')
    expect([state, by]).toEqual(['killed', 'selftest/lines/made-up/lamps.test.ts'])
  })

  test('survived, where all are green', async () => {
    expect(await awake('countBright shift lamp >= least')).toMatchObject({ state: 'survived' })
  })

  test('unreached, where nothing comes by', async () => {
    expect(await awake("greet negate name === ''")).toMatchObject({ state: 'unreached' })
  })

  test('late, where one no longer ends', async () => {
    expect(await awake('nextPower negate power < number', 8_000)).toMatchObject({ state: 'late' })
  })
})
