// Every deciding line of the clauses is switched off, one at a time: npm run prove -- --sites
// [--only GLOB…] [--at-once N] [--minutes N]; a second start goes on where the first one stopped.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import { createKept, root } from '../kept.ts'
import { readSites } from './all-sites.ts'
import { pageOf } from './page.ts'
import { type Proof, proofs } from './proofs.ts'
import { commitOfProofs, keepSites, keyOf, type Recorded, recordedSites } from './record.ts'
import { type Outcome, type RunOff, search } from './search.ts'
import type { Site } from './site.ts'
import { runWatched } from './watched.ts'

export const keptOutcomes = createKept<Outcome>('site-switches.jsonl')

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Runs what has not been run, writes selftest/proof.md, and gives the exit code. */
export async function proveSites(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--sites'),
    options: {
      only: { type: 'string', multiple: true, default: [] },
      'at-once': { type: 'string', default: '2' },
      minutes: { type: 'string', default: '30' },
    },
  })
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  const isTime = () => seconds() < Number(values.minutes) * 60
  const atOnce = Number(values['at-once'])
  const commit = commitOfProofs()
  const sites = readSites()

  const recorded = await recordAll(commit, atOnce, isTime)
  const known = new Map(
    keptOutcomes.read().flatMap((each) => (each.commit === commit ? [[each.site, each]] : [])),
  )
  const isChosen = ({ name }: Site) => values.only.length === 0 || matchesAny(name, values.only)
  const waiting = sites.filter((site) => isChosen(site) && !known.has(site.name))
  say(`${sites.length} sites, ${waiting.length} of them to try at ${commit}`)
  await inTurn(waiting, atOnce, isTime, async (site) => {
    const began = performance.now()
    const outcome = await search(site, recorded, runOff)
    const took = Math.round((performance.now() - began) / 100) / 10
    const kept: Outcome = { ...outcome, commit, seconds: took }
    known.set(site.name, kept)
    keptOutcomes.keep(kept)
    const how = [kept.effect, kept.clause, kept.proof].filter(Boolean).join(', ')
    say(`${kept.state} ${site.name} (${kept.tried} of ${kept.of} tried, ${took} s) ${how}`)
  })

  const page = join(root, 'selftest/proof.md')
  const outcomes = sites.flatMap(({ name }) => known.get(name) ?? [])
  const all = { sites, outcomes: known, recorded, proofs: proofs.length, commit }
  writeFileSync(page, pageOf({ ...all, seconds: secondsOf(outcomes, recorded), day: new Date() }))
  const count = (state: string) => outcomes.filter((each) => each.state === state).length
  say(`written: ${page} (${Math.round(seconds())} s)`)
  for (const { site } of outcomes.filter(({ state }) => state === 'unreached'))
    say(`a mistake of this tool: ${site} was off and never reached`)
  const open = count('unproven') + count('unreached') + (sites.length - outcomes.length)
  if (open > 0) say(`${open} of ${sites.length} sites are not proven needed`)
  return open > 0 ? 1 : 0
}

/** Of all starts together. */
const secondsOf = (outcomes: readonly Outcome[], recorded: readonly [Proof, Recorded][]) => ({
  recording: recorded.reduce((sum, [, { seconds }]) => sum + seconds, 0),
  switching: outcomes.reduce((sum, { seconds }) => sum + seconds, 0),
})

/** What sites do in each proof; what tests have recorded at this commit is not run again. */
async function recordAll(
  commit: string,
  atOnce: number,
  isTime: () => boolean,
): Promise<[Proof, Recorded][]> {
  const known = new Map<string, Recorded>()
  for (const line of recordedSites.read())
    if (line.commit === commit) known.set(keyOf(line.proof, line.by), line)
  const waiting = proofs.filter(({ name, by }) => !known.has(keyOf(name, by)))
  say(`${proofs.length} proofs, ${waiting.length} of them to record at ${commit}`)
  await inTurn(waiting, atOnce, isTime, async ({ name, by, bent }) => {
    known.set(keyOf(name, by), keepSites(name, by, await runWatched(bent, by)))
  })
  return proofs.flatMap((proof): [Proof, Recorded][] => {
    const found = known.get(keyOf(proof.name, proof.by))
    return found ? [[proof, found]] : []
  })
}

const runOff: RunOff = async ({ bent }, clauses, off) => {
  const { checked, watch } = await runWatched(bent, clauses, off)
  const observing = (checked.report?.clauses ?? []).filter(({ level }) => level === 'observe')
  return { deeds: watch.deeds, observing: new Set(observing.map(({ id }) => id)) }
}

/** So many at a time, as long as there is time. */
async function inTurn<T>(
  list: readonly T[],
  atOnce: number,
  isTime: () => boolean,
  act: (one: T) => Promise<void>,
): Promise<void> {
  const queue = [...list]
  const work = async () => {
    while (isTime()) {
      const one = queue.shift()
      if (one === undefined) return
      await act(one)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
