// How like a service its learned mock is: npm run learned [-- SHARE MIXTURES]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleOf } from '../sample.ts'
import { catalogue, mixtureOf } from './catalogue.ts'
import { observingOnly } from './learn-and-compare.ts'
import { createMeasure, type Measured, totalOf } from './measure.ts'
import { others } from './others.ts'

const [share = 1, count = 20] = process.argv.slice(2).map(Number)
const seed = 1

const told = ({ name, before, after, compared, decided }: Measured) =>
  `| ${name.replaceAll('|', '\\|')} | ${before} | ${after} | ${compared} | ${decided} |`
const percent = (part: number, whole: number) =>
  whole === 0 ? 'none' : `${((part / whole) * 100).toFixed(1)} %`
const staying = (all: readonly Measured[]) =>
  all.flatMap(({ name, stays }) => stays.map((each) => `- ${name}: ${each.slice(0, 300)}`))

async function measured<T extends { name: string }>(
  list: readonly T[],
  measure: (one: T) => Promise<Measured>,
): Promise<Measured[]> {
  const all: Measured[] = []
  for (const one of list) {
    const found = await measure(one)
    console.log(told(found))
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
const [ofAlone, ofMixtures] = [totalOf(alone), totalOf(mixtures)]
const head = [
  '| service | before | after | compared | decided |',
  '| --- | ---: | ---: | ---: | ---: |',
]
const text = `# How like a service its learned mock is

Written by \`npm run learned -- ${share} ${count}\`. Each service is run, a mock is learned from its report
(\`serve --like\`), and the mock is run and compared with it.

- before: clauses in which the plain reference service differs from it; after: those in which its mock does
- compared: clauses known of both; decided: clauses known of the service alone

## Totals

- ${chosen.length} of the ${catalogue.length} lawful variants were run, with the observing clauses. ${alone.length} show in an
  observation: ${ofAlone.before} differences before, ${ofAlone.after} after, ${percent(ofAlone.before - ofAlone.after, ofAlone.before)} gone.
- ${mixtures.length} mixtures of 5 to 15 variants, with all clauses: divergence ${percent(ofMixtures.before, ofMixtures.compared)} before,
  ${percent(ofMixtures.after, ofMixtures.compared)} after; ${percent(ofMixtures.compared, ofMixtures.decided)} of the clauses known of the service are known of the mock.

## What stays

${[...staying(alone), ...staying(mixtures), ...staying(elsewhere)].join('\n')}

## Variants that show in an observation

${[...head, ...alone.map(told)].join('\n')}

## Mixtures

${[...head, ...mixtures.map(told)].join('\n')}

## Services that others wrote

With people, tasks and events of their own, and all clauses.

${[...head, ...elsewhere.map(told)].join('\n')}
`
writeFileSync(join(import.meta.dirname, 'learned.md'), text)
process.exit(0)
