import type { Contract } from '../../engine/run/contract.ts'
import type { Breach, ClauseReport, Report } from '../../engine/run/report.ts'
import { differsOf } from '../parts/evidence.ts'
import { quotesOf } from '../parts/issue.ts'
import { planOf } from './plan.ts'
import { scriptOf } from './script.ts'

type Scripts = Record<string, () => string>

/** The first plan that decides, or else the first whose answers a reader compares. */
function placeOfBest(plans: readonly ReturnType<typeof planOf>[]): number {
  const deciding = plans.findIndex((plan) => !('why' in plan) && !plan.isCompared)
  return deciding >= 0 ? deciding : plans.findIndex((plan) => !('why' in plan))
}

/** A report whose breaches name their scripts, or why there is none. */
export function withRepeats(
  report: Report,
  contract: Pick<Contract, 'sentences'>,
): { report: Report; scripts: Scripts } {
  const scripts: Scripts = {}
  const clauses = report.clauses.map((clause): ClauseReport => {
    const { breaches } = clause
    if (!breaches) return clause
    const plans = breaches.map((breach) => planOf(breach, report))
    const at = placeOfBest(plans)
    const [plan, breach] = [plans[at], breaches[at]]
    const file = `repeat/${clause.id.replace(/[^\w.-]/g, '_')}.sh`
    const quotes = () => quotesOf(clause, contract).flatMap(({ says }, n) => (n === 0 ? says : []))
    if (plan && !('why' in plan) && breach)
      scripts[file] = () => scriptOf(plan, { file, clause, breach, report, quotes: quotes() })
    const told = (each: Breach, n: number): Breach => {
      const { repeat: _, notRepeated: __, ...rest } = each
      const differs = differsOf(rest, report)
      const bare = differs ? { ...rest, differs } : rest
      const own = plans[n]
      if (at >= 0) return n === at ? { ...bare, repeat: file } : bare
      return own && 'why' in own ? { ...bare, notRepeated: own.why } : bare
    }
    return { ...clause, breaches: breaches.map(told) }
  })
  return { report: { ...report, clauses }, scripts }
}
