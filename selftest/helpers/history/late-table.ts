// A table: what is found of refused updates that are carried out later, with the settings a user gets.
// node --import tsx selftest/helpers/history/late-table.ts [SETTLE_MS] [PART-OF-A-NAME] [TASKS,TASKS]
// Effects after 5 and 20 s are looked for in runs that are stretched: every answer is late.

import { stated } from '../../../reference/rules/stated.ts'
import { type Late, lateFaults, lawful } from './late.ts'
import { runOnTasks } from './late-run.ts'

const [settle = '2000', only = '', counts = '1,12'] = process.argv.slice(2)

/** By how much answers are late, so that a run lasts longer than the effect takes. */
const stretched: [effectMs: number, delayMs: number][] = [
  [5000, 150],
  [20_000, 400],
]
const all: (Late & { effectMs?: number; delayMs?: number })[] = [
  ...lateFaults([300, 1900, 'next change', 'replica']),
  ...stretched.flatMap(([effectMs, delayMs]) =>
    lateFaults([effectMs]).map((one) => ({ ...one, effectMs, delayMs })),
  ),
  ...lawful(),
]

for (const tasks of counts.split(',').map(Number))
  for (const one of all) {
    if (!one.name.includes(only)) continue
    const { bent, firstAt } = noting(one)
    const { report, exitCode } = await runOnTasks(bent, {
      tasks,
      clauses: 'assign.*,version.*,auth.refused*,auth.invalid-besides*',
      env: { SETTLE_MS: settle },
      delayMs: one.delayMs,
    })
    const { exchanges = [], durationMs = 0, requests, clauses = [] } = report ?? {}
    const of = (...verdicts: string[]) =>
      clauses.flatMap(({ id, verdict }) => (verdicts.includes(verdict) ? id : []))
    const broken = of('fail', 'warn')
    const missed = one.breaks.filter((id) => !broken.includes(id))
    const lastedMs = Math.max(...exchanges.map(({ start }) => Date.parse(start))) - firstAt()
    const isTooSoon = one.effectMs !== undefined && lastedMs < one.effectMs
    const ended = `the last look came ${(lastedMs / 1000).toFixed(1)} s after the refusal`
    const found = missed.length === 0 ? 'yes' : isTooSoon ? ended : `MISSED: ${missed.join(' ')}`
    const others = broken.filter((id) => !one.breaks.includes(id))
    console.log(
      `| ${[
        one.name,
        tasks,
        found,
        exitCode,
        others.join(' '),
        of('inconclusive').join(' '),
        `${(durationMs / 1000).toFixed(0)} s`,
        requests,
      ].join(' | ')} |`,
    )
  }

/** The same service, and when it was first to carry out what it had refused. */
function noting<Bent extends Late>(one: Bent) {
  let first = Number.NaN
  const effectOfRefusal: typeof stated.effectOfRefusal = (refused) => {
    const effect = (one.stated?.effectOfRefusal ?? stated.effectOfRefusal)(refused)
    if (effect !== 'none' && Number.isNaN(first)) first = Date.now()
    return effect
  }
  return { bent: { ...one, stated: { ...one.stated, effectOfRefusal } }, firstAt: () => first }
}

process.exit(0)
