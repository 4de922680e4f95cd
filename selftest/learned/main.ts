// How like a service its learned mock is: npm run learned [-- SHARE MIXTURES]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commitOf, createKept, product } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import { catalogue, mixtureOf } from './catalogue.ts'
import { observingOnly } from './learn-and-compare.ts'
import { createMeasure, type Measured } from './measure.ts'
import { others } from './others.ts'
import { pageOf, rowOf } from './page.ts'
import { withoutReason } from './reasons.ts'
import { createResumed } from './resumed.ts'

const [share = 1, count = 20] = process.argv.slice(2).map(Number)
const seed = 1

// Not the page itself, which is written behind each run.
const sources = ['selftest/proofs', 'selftest/learned/*.ts', 'selftest/python-service']
const commit = commitOf(...product, ...sources)
const resumed = createResumed(createKept('learned.jsonl'), commit)

async function measured<T extends { name: string }>(
  list: readonly T[],
  measure: (one: T) => Promise<Measured>,
): Promise<Measured[]> {
  const all: Measured[] = []
  for (const one of list) {
    const found = await resumed(one.name, () => measure(one))
    console.log(rowOf(found))
    if (found.before > 0) all.push(found)
  }
  return all
}

const chosen = sampleOf(catalogue, Math.ceil(catalogue.length * share), seed)
const alone = await measured(chosen, createMeasure(observingOnly).bent)
const mixtures = await measured(
  Array.from({ length: count }, (_, at) => mixtureOf(at + 1)),
  createMeasure([]).bent,
)
const { reported } = createMeasure([])
const elsewhere = await measured(others, async ({ name, report }) => {
  const found = await report()
  if (!found) throw new Error(`${name} has no report`)
  return reported(name, found)
})

const command = `npm run learned -- ${share} ${count}`
const page = pageOf({
  command,
  all: catalogue.length,
  chosen: chosen.length,
  alone,
  mixtures,
  elsewhere,
})
writeFileSync(join(import.meta.dirname, '../../reports/learned.md'), page)
const open = withoutReason([...alone, ...mixtures, ...elsewhere].flatMap(({ stays }) => stays))
for (const id of new Set(open))
  console.error(`${id} stays, and selftest/learned/reasons.ts has no reason for it; add one.`)
const condemned = [...alone, ...mixtures].filter(({ fails = [] }) => fails.length > 0)
for (const { name, fails = [] } of condemned)
  console.error(`${name}: a service that is lawful is failed by ${fails.join(', ')}; mend that.`)
process.exit(open.length + condemned.length > 0 ? 1 : 0)
