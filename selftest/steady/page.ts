import { comparingOf, type Flip, flipsIn, unsettledIn, unsettledShare } from './flips.ts'
import type { Sight } from './sight.ts'
import type { Target } from './targets.ts'

const head = `# The same verdict every time

Written by \`npm run steady\`: each target is met with six seeds, twice beside other work on the machine and
twice with the clauses begun in another order, with the settings as they are shipped. A flip: two runs say
different things of a clause, its verdict, its cause or what was observed, and neither is inconclusive.`

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const percent = (share: number) => `${(share * 100).toFixed(2)} %`

/** How often each exit code came: "0 (8), 3 (2)". */
function exits(sights: readonly Sight[]): string {
  const codes = [...new Set(sights.map(({ exitCode }) => exitCode))].sort()
  return codes
    .map((code) => `${code} (${sights.filter(({ exitCode }) => exitCode === code).length})`)
    .join(', ')
}

/** A target and its runs. */
export type MetTarget = { target: Pick<Target, 'name' | 'ways'>; sights: readonly Sight[] }

const flipsOf = ({ target, sights }: MetTarget) => flipsIn(sights, comparingOf(target))

function row(met: MetTarget): string {
  const { target, sights } = met
  const requests = sights.map((each) => each.requests)
  const seconds = sights.map((each) => Math.round(each.seconds))
  const between = (values: number[]) => `${Math.min(...values)} to ${Math.max(...values)}`
  const figures = [flipsOf(met).length, percent(unsettledShare(sights)), exits(sights)]
  return `| ${cell(target.name)} | ${sights.length} | ${figures.join(' | ')} | ${between(requests)} | ${between(seconds)} |`
}

const flipLine = (target: string, { id, runs, said }: Flip) =>
  `- \`${id}\` on ${target}: ${said.map((each, at) => `${cell(each.slice(0, 200))} (${runs[at]})`).join('; ')}`

/** The page of all targets that were met. */
export function pageOf(all: readonly MetTarget[], commit: string): string {
  const flips = all.flatMap((met) => flipsOf(met).map((flip) => flipLine(met.target.name, flip)))
  const unsettled = all.flatMap(({ target, sights }) =>
    unsettledIn(sights).map(
      ({ id, manner, reason }) =>
        `- \`${id}\` on ${target.name} (${manner}): ${cell(reason.slice(0, 200))}`,
    ),
  )
  const runs = all.reduce((sum, { sights }) => sum + sights.length, 0)
  const manifold = all.flatMap(({ target }) =>
    target.ways ? [`- ${target.name}: ${target.ways}`] : [],
  )
  return [
    head,
    `${runs} runs of ${all.length} targets, commit ${commit}: ${flips.length} flips, ${unsettled.length} verdicts unsettled.`,
    [
      '| target | runs | flips | unsettled | exits | requests | seconds |',
      '| --- | ---: | ---: | ---: | --- | --- | --- |',
      ...all.map(row),
    ].join('\n'),
    ...(manifold.length > 0
      ? [`Verdicts and causes alone are compared of:\n\n${manifold.join('\n')}`]
      : []),
    ...(flips.length > 0 ? ['## Flips', flips.join('\n')] : []),
    ...(unsettled.length > 0 ? ['## Unsettled', unsettled.join('\n')] : []),
  ].join('\n\n')
}
