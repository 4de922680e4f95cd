import { open } from '../rules/open.ts'
import { stated } from '../rules/stated.ts'
import type { Bends } from './aspect.ts'
import type { Breach } from './breach.ts'
import { breachesOfAccess } from './breaches-of-access.ts'
import { breachesOfExports } from './breaches-of-exports.ts'
import { breachesOfUpdates } from './breaches-of-updates.ts'

const breaches: Breach[] = [...breachesOfAccess, ...breachesOfUpdates, ...breachesOfExports]

/** The clauses that can be broken as they were. */
export const breakable: ReadonlySet<string> = new Set(breaches.flatMap(({ of }) => of))

/** The rules with which these clauses are broken, where that is known; `rules` are those that they bend further. */
export function bendsOfBreaches(ids: readonly string[], rules: Bends = {}): Required<Bends> {
  const broken = new Set(ids.filter((id) => breakable.has(id)))
  const bends = { open: { ...rules.open }, stated: { ...rules.stated } }
  for (const { of, rules } of breaches) {
    if (!of.some((id) => broken.has(id))) continue
    const usual = { open: { ...open, ...bends.open }, stated: { ...stated, ...bends.stated } }
    const further = rules((id) => broken.has(id), usual)
    Object.assign(bends.open, further.open)
    Object.assign(bends.stated, further.stated)
  }
  return bends
}
