// Lines of the deciding code are changed, one at a time and never on disk: npm run mutants -- --lines
// [--sample N] [--seed S] [--only GLOB…] [--proofs N] [--seconds N] [--minutes N] [--at-once N] [--record N]
// [--fresh]; a second start goes on where the first one stopped. --only names mutants or files; --proofs and
// --seconds say what a mutant meets at most: what survives little is tried again with more. Where tests and
// proofs go is recorded once, of so many more proofs as --record says; --fresh records it anew.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import { inTurn } from '../in-turn.ts'
import { createKept, root } from '../kept.ts'
import { proofs } from '../proofs/proofs.ts'
import { type Patience, runOrder } from './child.ts'
import { type Module, readModules } from './modules.ts'
import { inOrderOf, type Mutant } from './mutants.ts'
import { isTestFile, proofsFile, stepOf } from './order.ts'
import { pageOf, toldIn } from './page.ts'
import { digestOfStep, keptLines, type Recorded, recordedOf } from './record.ts'
import { isKilled, judge, metOf, type Outcome, stepsFor } from './search.ts'
import { listTests, turnsOfProofs } from './steps.ts'

const keptOutcomes = createKept<Outcome>('line-mutants.jsonl')
const page = join(root, 'selftest/line-mutants.md')
const say = (text: string) => process.stdout.write(`${text}\n`)

const mostMsOfChunk = 600_000
/** Generous: a step takes several times as long on a busy machine, and that does not kill a mutant. */
const msOfStep = (seconds: number) => 60_000 + 10_000 * seconds

const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== '--lines'),
  options: {
    sample: { type: 'string', default: '240' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    minutes: { type: 'string', default: '120' },
    'at-once': { type: 'string', default: '2' },
    proofs: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '180' },
    record: { type: 'string', default: '400' },
    fresh: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const mostMs = Number(values.seconds) * 1_000
const atOnce = Number(values['at-once'])
const start = performance.now()
const minutes = () => (performance.now() - start) / 60_000
const isTime = (share = 1) => minutes() < Number(values.minutes) * share

const modules = readModules(seed).filter(({ file }) => !file.startsWith('selftest/'))
const moduleOf = new Map(modules.map((module) => [module.file, module]))
const isNamed = ({ name, file }: Mutant) =>
  values.only.length === 0 || matchesAny(name, values.only) || matchesAny(file, values.only)
const all = modules.flatMap(({ mutants }) => mutants)
const chosen = inOrderOf(seed, all).slice(0, Number(values.sample))
// Whoever names some means all of them.
const wanted = values.only.length > 0 ? all.filter(isNamed) : chosen

// Processes under way end with this one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const recorded = await recordSteps()
const outcomes = knownOutcomes()
const placed = wanted.map((mutant) => {
  const { digest, base } = moduleOf.get(mutant.file) as Module
  const { steps, of } = stepsFor(mutant, digest, recorded, Number(values.proofs))
  return { mutant, digest, place: base + mutant.line, steps, of, met: metOf(steps, mostMs) }
})
const waiting = placed.filter(({ mutant: { name }, digest, met }) => {
  const known = outcomes.get(name)
  if (known?.digest !== digest) return true
  return !isKilled(known) && known.met !== met
})
say(`${all.length} lines can be changed; ${wanted.length} are, ${waiting.length} of them now`)
const isNew = ({ mutant: { name } }: (typeof placed)[number]) => !outcomes.has(name)
const newFirst = waiting.toSorted((one, two) => Number(isNew(two)) - Number(isNew(one)))
await inTurn(newFirst, { atOnce, mayGoOn: () => isTime() }, tryMutant)

const shown = all.filter((mutant) => chosen.includes(mutant) || outcomes.has(mutant.name))
const steps = { recorded: recorded.length, of: listTests().length + proofs.length }
writeFileSync(
  page,
  pageOf({ mutants: shown, outcomes, steps, seed, lines: all.length, day: new Date() }),
)
say(`written: ${page} (${minutes().toFixed(1)} minutes)`)
process.exit()

async function tryMutant(one: (typeof placed)[number]): Promise<void> {
  const { mutant, digest, place, steps, of, met } = one
  const began = performance.now()
  const secondsOf = new Map(steps.map(({ step, seconds }) => [step, seconds]))
  const files = steps.map(({ step }) => step)
  const order = {
    seed,
    on: place,
    files: [...new Set(files.map((step) => (isTestFile(step) ? step : proofsFile)))],
    proofs: files.filter((step) => !isTestFile(step)),
  }
  const patience = {
    ms: mostMs,
    msOf: (step: string) => msOfStep(secondsOf.get(step) ?? 0),
  }
  const worked =
    steps.length > 0 ? await runOrder(order, patience) : { ended: [], isOver: false, output: '' }
  if (steps.length > 0 && worked.ended.length === 0 && !worked.late) {
    if (!worked.isOver) throw new Error(`no step of ${mutant.name} was made:\n${worked.output}`)
    say(`not tried, the first step takes too long: ${mutant.name}`)
    return
  }
  const judged = judge(worked)
  if (worked.late && judged.state === 'late' && !(await endsAsleep(worked.late, patience))) {
    say(`not tried, ${worked.late} takes too long without it too: ${mutant.name}`)
    return
  }
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const outcome: Outcome = { name: mutant.name, ...judged, of, digest, met, seconds }
  outcomes.set(mutant.name, outcome)
  keptOutcomes.keep(outcome)
  const { state, tried, by } = outcome
  say(
    `${state} ${mutant.file}:${mutant.line} ${mutant.name} (${tried} of ${of}, ${seconds} s) ${by ?? ''}`,
  )
}

/** Whether a step ends in its time where no mutant is awake: a machine may be too busy for it now. */
async function endsAsleep(step: string, patience: Patience): Promise<boolean> {
  const isFile = isTestFile(step)
  const files = [isFile ? step : proofsFile]
  const { ended } = await runOrder({ seed, files, proofs: isFile ? [] : [step] }, patience)
  return ended.some((each) => each.step === step)
}

/** The newest outcome of each mutant: what was run here, and what the page says of others. */
function knownOutcomes(): Map<string, Outcome> {
  const told = existsSync(page) ? toldIn(readFileSync(page, 'utf8')) : []
  return new Map([...told, ...keptOutcomes.read()].map((each) => [each.name, each]))
}

/** Where each file of tests and each proof goes; it may take up to a sixth of the time. */
async function recordSteps(): Promise<Recorded[]> {
  const known = new Map<string, Recorded>()
  if (!values.fresh) for (const line of keptLines.read()) known.set(line.step, line)
  const isKnown = (step: string) => known.get(step)?.digest === digestOfStep(step)
  const keep = (line: Recorded) => {
    known.set(line.step, line)
    keptLines.keep(line)
  }
  const tests = listTests().filter((step) => !isKnown(step))
  const ofProofs = turnsOfProofs(proofs)
    .map(stepOf)
    .filter((step) => !isKnown(step))
    .slice(0, Number(values.record))
  say(`${tests.length} files of tests and ${ofProofs.length} proofs to record`)
  const chunks = [
    ...inChunks(tests, 8).map((files) => ({ seed, files, proofs: [] })),
    ...inChunks(ofProofs, 16).map((names) => ({ seed, files: [proofsFile], proofs: names })),
  ]
  await inTurn(chunks, { atOnce, mayGoOn: () => isTime(1 / 6) }, async (order) => {
    const patience = { ms: mostMsOfChunk, msOf: () => 240_000 }
    const { late, ended, output } = await runOrder(order, patience, (each) =>
      keep(recordedOf(each, modules)),
    )
    if (late) say(`not recorded, it takes too long: ${late}`)
    else if (ended.length === 0) throw new Error(`nothing was recorded:\n${output}`)
  })
  const current = new Set([...listTests(), ...proofs.map(stepOf)])
  return [...known.values()].filter(({ step }) => current.has(step))
}

function inChunks<T>(list: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < list.length; at += size) chunks.push(list.slice(at, at + size))
  return chunks
}
