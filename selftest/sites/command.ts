// Every deciding line of the clauses is switched off, one at a time: npm run prove -- --sites
// [--only GLOB…] [--area GLOB…] [--proof GLOB…] [--fresh] [--cases N] [--at-once N] [--minutes N]; a second start
// goes on where the first one stopped. --only names sites, --area the clauses of the proofs that are asked,
// --proof these themselves, --cases how many of the cases of a site are tried. Where a site decides is recorded once; --fresh records it anew at this commit.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import type { ClauseReport } from '../../engine/run/report.ts'
import { inTurn } from '../in-turn.ts'
import { createKept, root } from '../kept.ts'
import { readSites } from './all-sites.ts'
import { pageOf, toldIn } from './page.ts'
import { type Proof, proofs } from '../proofs/proofs.ts'
import { isSettled } from './reasons.ts'
import { commitOfProofs, keepSites, keyOf, type Recorded, recordedSites } from './record.ts'
import { type Outcome, type Run, search } from './search.ts'
import type { Site } from './site.ts'
import { recordTests, redWithout } from './tests/tests.ts'
import { unsaidIn } from './unsaid.ts'
import { runWatched } from './watched.ts'

const keptOutcomes = createKept<Outcome>('site-switches.jsonl')

const page = join(root, 'selftest/proof.md')

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Runs what has not been run, writes selftest/proof.md, and gives the exit code. */
export async function proveSites(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--sites'),
    options: {
      only: { type: 'string', multiple: true, default: [] },
      area: { type: 'string', multiple: true, default: [] },
      proof: { type: 'string', multiple: true, default: [] },
      fresh: { type: 'boolean', default: false },
      cases: { type: 'string', default: '4' },
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

  const isChosen = ({ name }: Site) => values.only.length === 0 || matchesAny(name, values.only)
  const judged = clausesOf(sites.filter(isChosen))
  const isWanted = ({ name, by }: Proof) =>
    (values.proof.length === 0 || matchesAny(name, values.proof)) &&
    (values.area.length === 0 || by.some((id) => matchesAny(id, values.area))) &&
    (judged === undefined || judged.some((id) => matchesAny(id, by)))
  const recorded = await recordAll(proofs.filter(isWanted), {
    isKnown: (line) => !values.fresh || line.commit === commit,
    atOnce,
    mayGoOn: isTime,
  })
  const asked = recorded.filter(([proof]) => isWanted(proof))
  const known = knownOutcomes()
  const isOld = ({ name }: Site) => known.get(name)?.commit !== commit
  // What nothing is known of comes first, then what nothing is known to need.
  const urgency = ({ name }: Site) => {
    const found = known.get(name)
    return found === undefined ? 0 : isSettled(found.state) ? 2 : 1
  }
  const waiting = sites
    .filter((site) => isChosen(site) && isOld(site))
    .toSorted((one, two) => urgency(one) - urgency(two))
  let tests: ReturnType<typeof recordTests> | undefined
  const testWithout = async (site: string) => {
    tests ??= recordTests(isTime)
    return redWithout(site, await tests)
  }
  say(`${sites.length} sites, ${waiting.length} of them to try at ${commit}`)
  await inTurn(waiting, { atOnce, mayGoOn: isTime }, async (site) => {
    const began = performance.now()
    const last = known.get(site.name)
    const found = { recorded: asked, commit, run, last, most: Number(values.cases) }
    const searched = await search(site, found)
    const test = searched.state === 'unproven' ? await testWithout(site.name) : undefined
    const outcome = test ? { ...searched, state: 'tested' as const, test } : searched
    const took = Math.round((performance.now() - began) / 100) / 10
    // Of a site that none of some proofs provokes, nothing is known yet.
    if (!test && outcome.of === 0 && asked.length < proofs.length) return
    const kept: Outcome = { ...outcome, commit, seconds: took }
    known.set(site.name, kept)
    keptOutcomes.keep(kept)
    const how = [kept.effect, kept.clause, kept.proof, kept.test].filter(Boolean).join(', ')
    say(`${kept.state} ${site.name} (${kept.tried} of ${kept.of} tried, ${took} s) ${how}`)
  })

  const outcomes = sites.flatMap(({ name }) => known.get(name) ?? [])
  const unsaid = unsaidIn(recorded.map(([, each]) => each))
  const found = { sites, outcomes: known, recorded, unsaid, proofs: proofs.length }
  writeFileSync(page, pageOf({ ...found, seconds: secondsOf(outcomes, recorded), day: new Date() }))
  const count = (state: string) => outcomes.filter((each) => each.state === state).length
  say(`written: ${page} (${Math.round(seconds())} s)`)
  for (const { site } of outcomes.filter(({ state }) => state === 'unreached'))
    say(`a mistake of this tool: ${site} was off and never reached`)
  const open = count('unproven') + count('unreached') + (sites.length - outcomes.length)
  if (open > 0) say(`${open} of ${sites.length} sites are not proven needed`)
  return open > 0 ? 1 : 0
}

/** The clauses in which sites decide; undefined where one of them decides for several clauses. */
function clausesOf(sites: readonly Site[]): string[] | undefined {
  const ids = sites.map(({ name }) => /^suites\/\S+ ([a-z][\w-]*(?:\.[\w-]+)+)/.exec(name)?.[1])
  return ids.every((id) => id !== undefined) ? ids : undefined
}

/** The newest outcome of each site: what was run here, and what the page says of others. */
function knownOutcomes(): Map<string, Outcome> {
  const told = existsSync(page) ? toldIn(readFileSync(page, 'utf8')) : []
  return new Map([...told, ...keptOutcomes.read()].map((each) => [each.site, each]))
}

/** Of all starts together. */
const secondsOf = (outcomes: readonly Outcome[], recorded: readonly [Proof, Recorded][]) => ({
  recording: recorded.reduce((sum, [, { seconds }]) => sum + seconds, 0),
  switching: outcomes.reduce((sum, { seconds }) => sum + seconds, 0),
})

/** What sites do in each proof; what tests have recorded is not run again. */
async function recordAll(
  wanted: readonly Proof[],
  given: { isKnown: (line: Recorded) => boolean; atOnce: number; mayGoOn: () => boolean },
): Promise<[Proof, Recorded][]> {
  const known = new Map<string, Recorded>()
  for (const line of recordedSites.read())
    if (given.isKnown(line)) known.set(keyOf(line.proof, line.by), line)
  const waiting = wanted.filter(({ name, by }) => !known.has(keyOf(name, by)))
  say(`${wanted.length} proofs, ${waiting.length} of them to record`)
  await inTurn(waiting, given, async ({ name, by, bent }) => {
    const watched = await runWatched(bent, by).catch(toldOf(name))
    if (watched) known.set(keyOf(name, by), keepSites(name, by, watched))
  })
  // What others have recorded is told of too.
  return proofs.flatMap((proof): [Proof, Recorded][] => {
    const found = known.get(keyOf(proof.name, proof.by))
    return found ? [[proof, found]] : []
  })
}

/** What takes so long with a site off waits for something that the site would have ended. */
const longest = 90_000

const run: Run = async ({ name, bent }, clauses, off) => {
  const over = new AbortController()
  const late = pause(longest, undefined, { ref: false, signal: over.signal }).then(() => {
    throw new Error(`no end within ${longest / 1000} s`)
  })
  const watched = await Promise.race([runWatched(bent, clauses, off), late]).catch(toldOf(name))
  over.abort()
  if (!watched) return undefined
  const { checked, watch } = watched
  const clausesOfRun = checked.report?.clauses ?? []
  const observing = clausesOfRun.filter(({ level }) => level === 'observe')
  return {
    deeds: watch.deeds,
    observing: new Set(observing.map(({ id }) => id)),
    causes: causesOf(clausesOfRun),
  }
}

/** What nobody has judged is another cause than what its owner left undecided. */
const causesOf = (clauses: readonly ClauseReport[]) =>
  new Map(clauses.map(({ id, cause = '', dangling }) => [id, dangling ? 'dangling' : cause]))

/** A service that is another one after so many requests may not be there a second time. */
const toldOf = (name: string) => (error: Error) => {
  say(`no run: ${name}: ${error.message}`)
  return undefined
}
