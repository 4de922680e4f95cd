// node selftest/simulated/start.mjs selftest/simulated/profile-costs.ts PROFILE …   prints what each costs on the
// reference service, if it takes 100 ms for each response.
import type { Cost } from '../../program/costs.ts'
import { runAgainst } from '../proofs/prove.ts'

const usual = { SETTLE_MS: '2000', AUDIT_WAIT_S: '30', MAIL_WAIT_S: '30' }

for (const profile of process.argv.slice(2)) {
  const { report } = await runAgainst(
    { open: { delay: ({ at }) => (at === 'end' ? 100 : 0) }, env: usual },
    ['--profile', profile],
    { makers: {} },
  )
  if (!report) throw new Error(`the run of ${profile} made no report`)
  const { exchanges, requests, durationMs } = report
  const cost: Cost = {
    requests,
    exports: exchanges.filter(({ path }) => path.includes('/export')).length,
    updates: exchanges.filter(({ method, status = 0 }) => method === 'PUT' && status < 300).length,
    seconds: durationMs / 1000,
  }
  process.stdout.write(`${profile} ${JSON.stringify(cost)}\n`)
}
process.exit(0)
