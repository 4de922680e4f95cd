import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import { root } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import { readSites } from './all-sites.ts'
import { type Effect, type End, endOf } from './judge.ts'
import { namesIn, toldIn } from './page.ts'
import { proofs } from '../proofs/proofs.ts'
import { isSettled, openAmong, reasons } from './reasons.ts'
import { isRedWithout } from './tests/tests.ts'
import { runWatched } from './watched.ts'

const file = join(root, 'selftest/proof.md')
const page = existsSync(file) ? readFileSync(file, 'utf8') : ''
const told = toldIn(page)
const sites = readSites()

const again = (name: string) => `npm run prove -- --sites --only '${name}'`

test('every site of the code is in proof.md', () => {
  const known = new Set(namesIn(page))
  const missing = sites.filter(({ name }) => !known.has(name))
  const said = missing.map(
    ({ file, line, name }) =>
      `${file}:${line} decides, and no proof has shown that it is needed: ${again(name)}`,
  )
  expect(said).toEqual([])
})

test('every site of proof.md is in the code', () => {
  const known = new Set(sites.map(({ name }) => name))
  const gone = namesIn(page).filter((name) => !known.has(name))
  const said = gone.map((name) => `'${name}' is gone; if it was not needed: ${again('none')}`)
  expect(said).toEqual([])
})

const stateOf = (name: string) => told.find(({ site }) => site === name)?.state

test('reasons are given for sites that need one', () => {
  const needing = sites.filter(({ name }) => !isSettled(stateOf(name)))
  const idle = Object.keys(reasons).filter(
    (glob) => !needing.some(({ name }) => matchesAny(name, [glob])),
  )
  expect(idle).toEqual([])
})

test('every site is needed, or a sentence says why it is kept', () => {
  expect(openAmong(sites, stateOf)).toEqual([])
})

test('of every variant of which little is decided it is said why', () => {
  expect(page).not.toContain('nothing is said yet')
})

/** How a clause ends where a site that is needed so is off. */
const endsAs: Readonly<Record<Effect, (off: End['kind']) => boolean>> = {
  missed: (off) => off !== 'broken',
  condemned: (off) => off === 'broken',
  crashed: (off) => off === 'crash',
  stopped: (off) => off === 'trouble',
  hollow: (off) => off === 'held' || off === 'undecided',
  mislabelled: (off) => off === 'undecided',
  same: () => true,
}

const size = 6
const witnessed = told.flatMap(({ site, effect, proof, clause }) =>
  effect && proof && clause ? [{ site, effect, proof, clause }] : [],
)

// A few tenths of a second each: the one clause is asked that was the witness. Some faults go by the
// comments of a run, which are others each time: where one clause is asked alone, few may show them.
describe.runIf(witnessed.length > 0).concurrent('a sample of the sites that are needed', () => {
  test.for(sampleOf(witnessed, size, Number(process.env.PROVE_SEED ?? 1)))(
    '$site',
    { retry: 3 },
    async ({ site, effect, proof, clause }) => {
      const named = proofs.filter(({ name }) => name === proof)
      const found = named.find(({ by }) => matchesAny(clause, by)) ?? named[0]
      if (!found) throw new Error(`${proof} is gone: ${again(site)}`)
      for (const clauses of [[clause], found.by]) {
        const { checked, watch } = await runWatched(found.bent, clauses, site)
        if (!watch.deeds.silenced) continue
        const level = checked.report?.clauses.find(({ id }) => id === clause)?.level
        const { kind } = endOf(clause, watch.deeds, level === 'observe')
        expect(endsAs[effect](kind), `${clause} is ${kind}, and was ${effect}`).toBe(true)
        return
      }
      throw new Error(`${site} is off and was not reached in ${proof}: ${again(site)}`)
    },
  )
})

const tested = told.flatMap(({ site, test: file }) => (file ? [{ site, file }] : []))

test('the tests that are red without a site are there', () => {
  const gone = tested.filter(({ file }) => !existsSync(join(root, file)))
  expect(gone.map(({ site, file }) => `${file} is gone: ${again(site)}`)).toEqual([])
})

// A process of vitest for each.
test.for(sampleOf(tested, 1, Number(process.env.PROVE_SEED ?? 1)))(
  'without $site $file is red',
  async ({ site, file }) => {
    expect(await isRedWithout(site, file), again(site)).toBe(true)
  },
)
