// A table of what is found of refused updates that are carried out later, with the settings a user gets:
// node --import tsx selftest/helpers/aftermath/late-table.ts [SETTLE_MS] [PART-OF-A-NAME] [TASKS,TASKS]

import { lateFaults, lawful } from './late.ts'
import { runOnTasks } from './late-run.ts'

const [settle = '2000', only = '', counts = '1,12'] = process.argv.slice(2)
for (const tasks of counts.split(',').map(Number))
  for (const one of [...lateFaults([300, 1900, 'next change', 'replica']), ...lawful()]) {
    if (!one.name.includes(only)) continue
    const started = performance.now()
    const { report, exitCode } = await runOnTasks(one, {
      tasks,
      clauses: 'assign.*,version.*,auth.refused*,auth.invalid-besides*',
      env: { SETTLE_MS: settle },
    })
    const of = (verdict: string) =>
      report?.clauses
        .filter((each) => each.verdict === verdict)
        .map(({ id, reason }) => (process.env.WHY ? `${id}: ${reason}\n` : id)) ?? []
    const broken = [...of('fail'), ...of('warn')]
    const found = one.breaks.every((id) => broken.includes(id))
    const others = broken.filter((id) => !one.breaks.includes(id))
    console.log(
      `${tasks} tasks | ${one.name} | ${found ? 'ok' : `MISSED ${one.breaks.filter((id) => !broken.includes(id))}`} | exit ${exitCode} | others ${others.join(' ')} | inconclusive ${of('inconclusive').join(' ')} | ${((performance.now() - started) / 1000).toFixed(1)} s ${report?.requests}`,
    )
  }
