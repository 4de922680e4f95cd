import { matchesAny } from '../../engine/glob.ts'
import type { Checked } from '../../program/report/finish.ts'
import type { Proof } from '../sites/proofs.ts'
import type { Fault, Variant } from './fault.ts'
import type { Hidden } from './faults/hidden.ts'
import { brokenIn, danglingIn, expectedOf, unjudgedIn } from './prove.ts'

/** The clauses that found a breach, and those that were to: the two are equal where a proof is green. */
export function breachesIn(
  checked: Checked,
  named: { breaks: string[]; mayBreak?: string[] },
  area: string[],
): { found: string[]; expected: string[] } {
  const expected = expectedOf(named, checked, area)
  const isMeant = (id: string) => expected.includes(id) || !matchesAny(id, named.mayBreak ?? [])
  return { found: brokenIn(checked).filter(isMeant), expected }
}

/** What breaks, and what is warned of, by the words of a variant. */
export const namedBy = ({ warns = [], mayWarn = [] }: Variant) => ({
  breaks: warns,
  mayBreak: mayWarn,
})

/** What is not as a proof wants it, as sentences: nothing where it is green. */
export function mistakesIn(checked: Checked, { bent, by, isVariant }: Proof): string[] {
  if ('blames' in bent) return mistakesOfHidden(checked, bent as Hidden)
  const named = isVariant ? namedBy(bent as Variant) : (bent as Fault)
  const { found, expected } = breachesIn(checked, named, by)
  const differing = [
    ...expected.filter((id) => !found.includes(id)).map((id) => `${id} finds nothing`),
    ...found.filter((id) => !expected.includes(id)).map((id) => `${id} condemns`),
  ]
  if (!isVariant) return [...differing, ...danglingIn(checked), ...unjudgedIn(checked)]
  const mayRefuse = 'refuses' in bent && checked.exitCode === 3
  return checked.exitCode === 0 || mayRefuse
    ? differing
    : [...differing, `it ends with ${checked.exitCode}`]
}

const mistakesOfHidden = (checked: Checked, { exit, blames }: Hidden): string[] => {
  const broken = brokenIn(checked)
  const quiet = blames.filter((id) => !broken.includes(id)).map((id) => `${id} finds nothing`)
  return checked.exitCode === exit ? quiet : [...quiet, `it ends with ${checked.exitCode}`]
}
