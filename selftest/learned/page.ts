import { divergenceTold } from '../../reporting/comparison/figures.ts'
import { type Measured, totalOf } from './measure.ts'
import { reasons } from './reasons.ts'

export type Results = {
  command: string
  /** how many variants there are, and how many of them were run */
  all: number
  chosen: number
  alone: readonly Measured[]
  mixtures: readonly Measured[]
  elsewhere: readonly Measured[]
}

/** One service as a line of a table. */
export const rowOf = ({ name, before, after, compared, decided }: Measured) =>
  `| ${name.replaceAll('|', '\\|')} | ${before} | ${after} | ${compared} | ${decided} |`

/** None is told as none and all as all. */
function percent(part: number, whole: number): string {
  if (whole === 0) return 'none'
  const share = (part / whole) * 100
  const isBetween = part > 0 && part < whole
  return `${(isBetween ? Math.min(99.9, Math.max(0.1, share)) : share).toFixed(1)} %`
}

const idOf = (told: string) => told.split(': ')[0] ?? ''

const staying = (all: readonly Measured[]) =>
  all.flatMap(({ name, stays }) =>
    stays.map((told) => {
      const reason = reasons[idOf(told)] ?? 'no reason is known'
      return `- ${name}: ${told.replaceAll('\n', ' ').slice(0, 300)}\n  Why: ${reason}.`
    }),
  )

const table = (all: readonly Measured[]) =>
  [
    '| service | before | after | compared | decided |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...all.map(rowOf),
  ].join('\n')

/** How like their services learned mocks are, as a page. */
export function pageOf({ command, all, chosen, alone, mixtures, elsewhere }: Results): string {
  const [ofAlone, ofMixtures, ofOthers] = [alone, mixtures, elsewhere].map(totalOf)
  const told = (total: typeof ofMixtures) => {
    const { before = 0, after = 0, compared = 0, decided = 0 } = total ?? {}
    return `divergence ${percent(before, compared)} before,
  ${percent(after, compared)} after; ${percent(compared, decided)} of the clauses known of the service are known of the mock.`
  }
  const { before = 0, after = 0 } = ofAlone ?? {}
  const each = elsewhere.map(
    ({ name, after, compared }) =>
      `${name} ${divergenceTold({ diverging: after, compared, all: compared })}`,
  )
  return `# How like a service its learned mock is

Written by \`${command}\`. Each service is run, a mock is learned from its report
(\`serve --like\`), and the mock is run and compared with it.

- before: clauses in which the plain reference service differs from it; after: those in which its mock does
- compared: clauses known of both; decided: clauses known of the service alone

Variants of clocks and of what is lent are left out: how far a clock is off and which settings a run has
are seen in no observation, and are no choice that a mock could take.

## Totals

- ${chosen} of the ${all} lawful variants were run, with the observing clauses. ${alone.length} show in an
  observation: ${before} differences before, ${after} after, ${percent(before - after, before)} gone.
- ${mixtures.length} mixtures of 5 to 15 variants, with all clauses: ${told(ofMixtures)}
- ${elsewhere.length} services that others wrote, with all clauses: ${told(ofOthers)}
  After, each by itself: ${each.join('; ')}.

## What stays

${staying([...alone, ...mixtures, ...elsewhere]).join('\n')}

## Variants that show in an observation

${table(alone)}

## Mixtures

${table(mixtures)}

## Services that others wrote

With people, tasks and events of their own, and all clauses.

${table(elsewhere)}
`
}
