import { resolve } from 'node:path'
import { reasonOf, writeWhole } from '../engine/journal/disk.ts'
import { breaksContract, type Facts, type Names } from '../reporting/comparison/compare.ts'
import {
  type Comparison,
  comparisonOf,
  type Judgement,
} from '../reporting/comparison/comparison.ts'
import { htmlOf } from '../reporting/comparison/html.ts'
import { jsonOf } from '../reporting/comparison/json.ts'
import { severalJson, severalOf } from '../reporting/comparison/several.ts'
import { severalHtml } from '../reporting/comparison/several-html.ts'
import { severalText } from '../reporting/comparison/several-text.ts'
import { textOf } from '../reporting/comparison/text.ts'
import { collectClauses, factsOf } from './clauses.ts'
import { type CompareFlags, type FailOn, readCompareFlags } from './input/compare-flags.ts'
import { Impossible } from './input/mistakes.ts'
import type { Call } from './input/read-flags.ts'
import { readReport } from './input/read-report.ts'

const names: Names = ['real', 'mock']

export type Compare = Call & {
  /** what the suite holds, of which coverage is a part */
  manifest?: () => Promise<Facts[]>
}

const ofSuite = async () => (await collectClauses()).map(factsOf)

/** Compares the reports of two services; 0: faithful, 1: diverging by --fail-on. */
export async function compareReports(call: Compare): Promise<number> {
  const { cwd, out, manifest = ofSuite } = call
  const flags = readCompareFlags(call)
  if (!flags) return 0
  if (flags.more.length > 0) return compareSeveral(call, flags)
  const real = readReport(resolve(cwd, flags.real))
  const mock = readReport(resolve(cwd, flags.mock))
  const comparison = comparisonOf(real, mock, { manifest: await manifest(), names })
  if (comparison.figures.all.compared === 0) throw new Impossible(nothingCompared(comparison))
  const diverging = diverges[flags.failOn](comparison)
  const verdict: Judgement = { diverging, word: verdictWord(flags.failOn, diverging) }
  write(flags, cwd, {
    html: () => htmlOf(comparison, verdict),
    json: () => jsonOf(comparison, verdict),
  })
  out.write(textOf(comparison, verdict))
  return verdict.diverging ? 1 : 0
}

/** Compares several reports with the first. */
async function compareSeveral(
  { cwd, out, manifest = ofSuite }: Compare,
  flags: CompareFlags,
): Promise<number> {
  const named = (name: string) => ({ name, report: readReport(resolve(cwd, name)) })
  const reference = named(flags.real)
  const others = [flags.mock, ...flags.more].map(named)
  const several = severalOf(reference, others, await manifest())
  for (const { name, comparison } of several.others)
    if (comparison.figures.all.compared === 0)
      throw new Impossible(`${name}: ${nothingCompared(comparison)}`)
  const diverging = several.others.some(({ comparison }) => diverges[flags.failOn](comparison))
  const verdict: Judgement = { diverging, word: verdictWord(flags.failOn, diverging) }
  write(flags, cwd, {
    html: () => severalHtml(several, verdict),
    json: () => severalJson(several, verdict),
  })
  out.write(severalText(several, verdict))
  return diverging ? 1 : 0
}

const nothingCompared = ({ remarks }: Comparison) =>
  ['Nothing was compared: no clause is decided in both reports', ...remarks].join('; ')

/** What was not asked for is not called faithful. */
function verdictWord(failOn: FailOn, diverging: boolean): string {
  if (diverging) return 'DIVERGING'
  const words = {
    contract: 'FAITHFUL as far as the contract goes',
    any: 'FAITHFUL',
    none: 'COMPARED',
  }
  return words[failOn]
}

const diverges: Record<FailOn, (comparison: Comparison) => boolean> = {
  contract: ({ compared }) => compared.some(breaksContract),
  any: ({ figures }) => figures.all.diverging > 0,
  none: () => false,
}

function write(flags: CompareFlags, cwd: string, made: Record<'html' | 'json', () => string>) {
  for (const flag of ['html', 'json'] as const) {
    const file = flags[flag]
    if (file === undefined) continue
    try {
      writeWhole(resolve(cwd, file), made[flag]())
    } catch (error) {
      throw new Impossible(
        `--${flag} ${file} cannot be written (${reasonOf(error)}); give a file in an existing folder.`,
      )
    }
  }
}
