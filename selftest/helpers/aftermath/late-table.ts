// A table of what is found of refused updates that are carried out later, with the settings a user gets:
// node --import tsx selftest/helpers/aftermath/late-table.ts [SETTLE_MS] [PART-OF-A-NAME] [TASKS,TASKS]
// Effects after 5 and 20 s are looked for in runs that are stretched: every answer is late.

import { type Late, lateFaults, lawful } from './late.ts'
import { runOnTasks } from './late-run.ts'

const [settle = '2000', only = '', counts = '1,12'] = process.argv.slice(2)

/** By how much answers are late, so that a run lasts longer than the effect takes. */
const stretched: [effectMs: number, delayMs: number][] = [
  [5000, 150],
  [20_000, 400],
]
const all: (Late & { delayMs?: number })[] = [
  ...lateFaults([300, 1900, 'next change', 'replica']),
  ...stretched.flatMap(([effectMs, delayMs]) =>
    lateFaults([effectMs]).map((one) => ({ ...one, delayMs })),
  ),
  ...lawful(),
]

for (const tasks of counts.split(',').map(Number))
  for (const one of all) {
    if (!one.name.includes(only)) continue
    const started = performance.now()
    const { report, exitCode } = await runOnTasks(one, {
      tasks,
      clauses: 'assign.*,version.*,auth.refused*,auth.invalid-besides*',
      env: { SETTLE_MS: settle },
      delayMs: one.delayMs,
    })
    const of = (verdict: string) =>
      report?.clauses
        .filter((each) => each.verdict === verdict)
        .map(({ id, reason }) => (process.env.WHY ? `${id}: ${reason}\n` : id)) ?? []
    const broken = [...of('fail'), ...of('warn')]
    const missed = one.breaks.filter((id) => !broken.includes(id))
    const others = broken.filter((id) => !one.breaks.includes(id))
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(
      [
        `${tasks} tasks`,
        one.name,
        missed.length === 0 ? 'ok' : `MISSED ${missed.join(' ')}`,
        `exit ${exitCode}`,
        `others ${others.join(' ')}`,
        `inconclusive ${of('inconclusive').join(' ')}`,
        `${seconds} s ${report?.requests}`,
      ].join(' | '),
    )
  }
process.exit(0)
