import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runClauses } from '../../engine/run/run-clauses.ts'
import { warm } from '../proofs/threads/warm-threads.ts'
import { instrumented } from './instrument.ts'
import type { Lamp } from './made-up/clauses.ts'
import type { Proof } from '../proofs/proofs.ts'
import type { Recorded } from './record.ts'
import { casesOf, type Run, search } from './search.ts'
import { type Site, sitesIn } from './site.ts'
import { type Deeds, Watch } from './watch.ts'

const file = 'selftest/sites/made-up/clauses.ts'
const entry = join(import.meta.dirname, 'made-up/clauses.ts')
const text = readFileSync(entry, 'utf8')
const sites = sitesIn(text, file)
const siteOf = (rest: string): Site => {
  const found = sites.find(({ name }) => name === `${file} ${rest}`)
  if (!found) throw new Error(`no site ${rest} among ${sites.map(({ name }) => name).join('; ')}`)
  return found
}

async function run(lamp: Lamp, clauses: readonly string[] = [], off?: string): Promise<Deeds> {
  const watch = new Watch(off)
  const selection = { clauses: [...clauses], required: [] }
  const given = {
    id: randomUUID(),
    entry,
    selection,
    provide: { lamp },
    runner: warm({ watch }),
  }
  const ignore = () => {}
  const watcher = { collected: ignore, started: ignore, judged: ignore, requested: ignore }
  const { errors } = await runClauses(given, watcher, new AbortController().signal)
  expect(errors).toEqual([])
  return watch.deeds
}

const lamps: Record<string, Lamp> = {
  'fault dark': { on: true, bright: false, colours: ['red'] },
  'variant off': { on: false, bright: false },
}
const runProof: Run = async ({ name }, clauses, off) => ({
  deeds: await run(lamps[name] ?? {}, clauses, off),
  observing: new Set(),
  causes: new Map(),
})

async function recordedOf(name: string): Promise<[Proof, Recorded]> {
  const { ended, handed, spoke } = await run(lamps[name] ?? {})
  const proof = { name, by: ['lamp.*'], bent: {}, isVariant: name.startsWith('variant') }
  const on: Recorded = {
    proof: name,
    by: ['lamp.*'],
    commit: '',
    ended: ended.map(({ clause, kind, sites: by }) => [clause, kind, by]),
    handed: handed.map(({ owner, site }) => [owner, site]),
    observing: [],
    spoke,
    said: [],
    musts: 3,
    lost: [],
    seconds: 1,
  }
  return [proof, on]
}
const searching = async (commit = '') => ({
  recorded: [await recordedOf('fault dark'), await recordedOf('variant off')],
  commit,
  run: runProof,
})

test('the sites of a module are found, by clause and by what stands there', () => {
  expect(sites.map(({ name, kind }) => `${kind}${name.slice(file.length)}`)).toEqual([
    'trouble lamp Trouble',
    'premise lamp.bright premise',
    'assertion lamp.bright expectThat',
    'assertion lamp.twice expect',
    'assertion lamp.twice expectThat',
    'undecided lamp.colours NotDecidable',
    'assertion lamp.colours expectThat',
  ])
})

test('a module keeps its lines when its sites are led elsewhere', () => {
  const made = instrumented(text, file, './runtime.ts')
  expect(made?.split('\n').length).toBe(text.split('\n').length)
  const lines = made?.split('\n') ?? []
  for (const { line, name } of sites) expect(lines[line - 1]).toContain(`("${name}"`)
  expect(instrumented('export const nothing = 1', file, './runtime.ts')).toBeUndefined()
})

test('an assertion is necessary where a fault is missed without it', async () => {
  expect(await search(siteOf('lamp.bright expectThat'), await searching())).toMatchObject({
    state: 'necessary',
    effect: 'missed',
    proof: 'fault dark',
    clause: 'lamp.bright',
  })
})

test('a premise is necessary where a variant is condemned without it', async () => {
  expect(await search(siteOf('lamp.bright premise'), await searching())).toMatchObject({
    state: 'necessary',
    effect: 'condemned',
    proof: 'variant off',
  })
})

test('an assertion is redundant where another one does the same, which is named', async () => {
  expect(await search(siteOf('lamp.twice expect'), await searching())).toMatchObject({
    state: 'redundant',
    others: [`${file} lamp.twice expectThat`],
  })
})

test('what leaves undecided is hollow where the clause would pass without it', async () => {
  expect(await search(siteOf('lamp.colours NotDecidable'), await searching())).toMatchObject({
    state: 'hollow',
    proof: 'variant off',
    clause: 'lamp.colours',
  })
})

test.each([
  ['another cause', 'freedom', 'mislabelled'],
  ['the same cause', 'data', 'redundant'],
])('what leaves undecided, as the next line does for %s, is told so', async (_, cause, state) => {
  const site = siteOf('lamp.colours NotDecidable')
  const clause = 'lamp.colours'
  const next = { clause, kind: 'undecided' as const, sites: ['next line'], reason: '' }
  const run: Run = async (_, __, off) => ({
    deeds: { ended: [next], handed: [], spoke: [], silenced: true },
    observing: new Set(),
    causes: new Map([[clause, off ? cause : 'data']]),
  })
  expect(await search(site, { ...(await searching()), run })).toMatchObject({ state, tried: 1 })
})

test('what a site was needed for before is tried first', async () => {
  const [[proof, on] = []] = (await searching()).recorded
  if (!proof || !on) throw new Error('nothing is recorded')
  const site = siteOf('lamp.bright expectThat')
  const others = [1, 2, 3].map((n): [Proof, Recorded] => [
    { ...proof, name: `fault ${n}` },
    { ...on, seconds: n },
  ])
  const firstOf = (last?: { proof: string; clause: string }) =>
    casesOf(site, others, last)[0]?.proof.name
  expect(firstOf()).toBe('fault 1')
  expect(firstOf({ proof: 'fault 3', clause: 'lamp.bright' })).toBe('fault 3')
})

test('where others end a clause too is tried last', async () => {
  const [[proof, on] = []] = (await searching()).recorded
  if (!proof || !on) throw new Error('nothing is recorded')
  const both: Recorded = { ...on, handed: [['lamp.bright', 'another site']] }
  const alone: [Proof, Recorded] = [
    { ...proof, name: 'fault alone' },
    { ...on, seconds: 9 },
  ]
  const cases = casesOf(siteOf('lamp.bright expectThat'), [[proof, both], alone])
  expect(cases.map((each) => each.proof.name)).toEqual(['fault alone', 'fault dark'])
})

test('a site that no proof provokes is unproven', async () => {
  expect(await search(siteOf('lamp.colours expectThat'), await searching())).toMatchObject({
    state: 'unproven',
    of: 0,
  })
})

test('a switch that is never reached is a mistake of the tool', async () => {
  const site = siteOf('lamp.colours expectThat')
  const [proof, on] = await recordedOf('fault dark')
  const wrong: Recorded = { ...on, ended: [['lamp.colours', 'broken', [site.name]]] }
  expect(await search(site, { ...(await searching()), recorded: [[proof, wrong]] })).toMatchObject({
    state: 'unreached',
    tried: 1,
  })
})

test('what an earlier record says is looked at again', async () => {
  const later = await searching('later')
  expect(await search(siteOf('lamp.bright expectThat'), later)).toMatchObject({
    state: 'necessary',
    proof: 'fault dark',
  })
  const [[proof, on] = []] = later.recorded
  if (!proof || !on) throw new Error('nothing is recorded')
  const site = siteOf('lamp.colours expectThat')
  const wrong: Recorded = { ...on, ended: [['lamp.colours', 'broken', [site.name]]] }
  const gone = await search(site, { ...later, recorded: [[proof, wrong]] })
  expect(gone).toMatchObject({ state: 'unproven', of: 0, tried: 0 })
})

test('a given that cannot be had ends a clause too, at its site', async () => {
  const { ended } = await run({ broken: true })
  expect(ended).toHaveLength(3)
  expect(ended[0]).toMatchObject({ kind: 'trouble', sites: [`${file} lamp Trouble`] })
})
