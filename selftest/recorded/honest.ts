// node selftest/simulated/start.mjs selftest/recorded/honest.ts [100] [GLOB]   whether verify contradicts honest reports of runs
import { matchesAny } from '../../engine/glob.ts'
import { verified } from '../../program/verify.ts'
import { jsonOf } from '../../reporting/all.ts'
import { proofs } from '../proofs/proofs.ts'
import { runAgainst } from '../proofs/prove.ts'

const [count = '100', glob = '*'] = process.argv.slice(2)
const some = proofs.filter(({ name, bent }) => !bent.surroundings && matchesAny(name, [glob]))
const step = Math.max(1, Math.floor(some.length / Number(count)))
const words = new Map<string, number>()
let [reports, contradicted] = [0, 0]
for (const { name, bent } of some.filter((_, at) => at % step === 0).slice(0, Number(count))) {
  const { report } = await runAgainst({ ...bent, env: { ...bent.env, BODIES: 'all' } }, [], {
    makers: {},
  })
  if (!report) continue
  const written = JSON.parse(jsonOf(report))
  const { whole, clauses } = await verified(written, written, '/nowhere')
  const bad = [
    ...whole,
    ...clauses.flatMap(({ id, word, why }) => (word === 'contradicted' ? [`${id}: ${why}`] : [])),
  ]
  reports += 1
  if (bad.length > 0) contradicted += 1
  for (const { word } of clauses) words.set(word, (words.get(word) ?? 0) + 1)
  for (const each of bad) process.stdout.write(`${name}\n  ${each}\n`)
}
process.stdout.write(
  `${contradicted} of ${reports} honest reports are contradicted; verdicts: ${JSON.stringify([...words])}\n`,
)
process.exit(0)
