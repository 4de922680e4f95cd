import { resolve } from 'node:path'
import { Impossible } from '../engine/impossible.ts'
import { reasonOf, writeWhole } from '../engine/journal/disk.ts'
import { breaksContract, type Facts } from '../reporting/comparison/compare.ts'
import {
  type Comparison,
  comparisonOf,
  type Judgement,
} from '../reporting/comparison/comparison.ts'
import { htmlOf } from '../reporting/comparison/html.ts'
import { jsonOf } from '../reporting/comparison/json.ts'
import { type Named, severalJson, severalOf } from '../reporting/comparison/several.ts'
import { severalHtml } from '../reporting/comparison/several-html.ts'
import { severalText } from '../reporting/comparison/several-text.ts'
import { textOf } from '../reporting/comparison/text.ts'
import { factsOfSuite } from './clauses.ts'
import type { Given } from './input/commands.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { readReport } from './input/read-report.ts'

export type Compare = Call & {
  /** what the suite holds, of which coverage is a part */
  manifest?: () => Promise<Facts[]>
}

/** Compares the reports of two services, or several with the first; 0: faithful, 1: diverging by --fail-on. */
export async function compareReports(call: Compare): Promise<number> {
  const { cwd, out, manifest = factsOfSuite } = call
  const flags = readFlags('compare', call)
  if (!flags) return 0
  const { words, failOn } = flags
  const twice = words.find((word, at) => words.indexOf(word) < at)
  if (words.length > 2 && twice !== undefined)
    throw new Impossible(`${twice} is given twice; give each report once.`)
  const named = words.map((name) => ({ name, report: readReport(resolve(cwd, name)) }))
  const [reference, ...others] = named as [Named, Named, ...Named[]]
  const facts = await manifest()
  /** No comparison is a verdict where nothing was compared. */
  const judged = (comparisons: readonly Comparison[], who = (_: number) => '') => {
    for (const [at, { figures, remarks }] of comparisons.entries())
      if (figures.all.compared === 0)
        throw new Impossible(
          `${who(at)}${['Nothing was compared: no clause is decided in both reports', ...remarks].join('; ')}`,
        )
    const diverging = comparisons.some(diverges[failOn])
    return { diverging, word: diverging ? 'DIVERGING' : faithful[failOn] }
  }
  const tell = <Made>(
    made: Made,
    verdict: Judgement,
    as: Record<'html' | 'json' | 'text', (made: Made, verdict: Judgement) => string>,
  ) => {
    for (const flag of ['html', 'json'] as const)
      write(`--${flag}`, flags[flag], cwd, () => as[flag](made, verdict))
    out.write(as.text(made, verdict))
    return verdict.diverging ? 1 : 0
  }
  if (others.length === 1) {
    const names = ['real', 'mock'] as const
    const comparison = comparisonOf(reference.report, others[0].report, { manifest: facts, names })
    const as = { html: htmlOf, json: jsonOf, text: textOf }
    return tell(comparison, judged([comparison]), as)
  }
  const several = severalOf(reference, others, facts)
  const comparisons = several.others.map(({ comparison }) => comparison)
  const as = { html: severalHtml, json: severalJson, text: severalText }
  return tell(
    several,
    judged(comparisons, (at) => `${others[at]?.name}: `),
    as,
  )
}

type FailOn = Given<'compare'>['failOn']

/** What was not asked for is not called faithful. */
const faithful: Record<FailOn, string> = {
  contract: 'FAITHFUL as far as the contract goes',
  any: 'FAITHFUL',
  none: 'COMPARED',
}

const diverges: Record<FailOn, (comparison: Comparison) => boolean> = {
  contract: ({ compared }) => compared.some(breaksContract),
  any: ({ figures }) => figures.all.diverging > 0,
  none: () => false,
}

function write(flag: string, file: string | undefined, cwd: string, make: () => string) {
  try {
    if (file !== undefined) writeWhole(resolve(cwd, file), make())
  } catch (error) {
    throw new Impossible(
      `${flag} ${file} cannot be written (${reasonOf(error)}); give a file in an existing folder.`,
    )
  }
}
