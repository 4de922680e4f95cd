// npm run agree -- [GLOB]   whether the traffic of runs against 22 lawful services is judged as the runs did; 1 unless all is
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import type { Report } from '../../engine/run/report.ts'
import { judge } from '../../program/judge.ts'
import type { Checked } from '../../program/report/finish.ts'
import { harOf } from '../../reporting/har.ts'
import type { Bent } from '../proofs/fault.ts'
import { proofs } from '../proofs/proofs.ts'
import { runAgainst, runProgram } from '../proofs/prove.ts'
import { hasPython, plain, start } from '../python-service/meet.ts'
import { doInProcesses, doJobs, isWorker } from '../simulated/processes.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const [glob = '*'] = process.argv.slice(2)

type Env = Record<string, string>
type Target = { name: string; run(env: Env): Promise<Checked> }
const own = { makers: { 'traffic.har': harOf } }

const python: Target = {
  name: 'the service in Python',
  async run(env) {
    const service = await start(plain)
    try {
      return await runProgram({ ...service.env, ...env }, [], own)
    } finally {
      service.stop()
    }
  },
}

const variants = proofs.filter(({ isVariant, bent }) => isVariant && !bent.surroundings)
const apart = Math.floor(variants.length / 20)
const chosen: { name: string; bent: Bent }[] = [
  { name: 'the reference service', bent: {} },
  ...variants.filter((_, at) => at % apart === 0).slice(0, 20),
]
const targets: Target[] = [
  ...chosen.map(({ name, bent }) => ({
    name,
    run: (env: Env) => runAgainst({ ...bent, env: { ...bent.env, ...env } }, [], own),
  })),
  ...(hasPython() ? [python] : []),
].filter(({ name }) => matchesAny(name, [glob]))

/** What a report says of each clause that it decides, by its id. */
const decidedIn = ({ clauses }: Report) =>
  new Map(
    clauses.flatMap(({ id, verdict, observed, varies }) => {
      if (['skip', 'inconclusive'].includes(verdict)) return []
      return [[id, varies ? { verdict } : { verdict, observed }] as const]
    }),
  )

async function compared({ name, run }: Target): Promise<{ lines: string[]; isAgreed: boolean }> {
  const dir = mkdtempSync(join(tmpdir(), 'agree-'))
  try {
    const { report } = await run({ BODIES: 'all', REPORTS_DIR: dir })
    const judged = await judge({
      argv: [join(dir, 'traffic.har')],
      env: { REPORTS_DIR: dir },
      cwd: dir,
      out: { write: () => {} },
      makers: {},
    })
    if (!report || !judged.report) return { lines: [`${name}: no report`], isAgreed: false }
    const [then, now] = [decidedIn(report), decidedIn(judged.report)]
    const otherwise = [...now].filter(([id, found]) => !isDeepStrictEqual(found, then.get(id)))
    const lines = otherwise.map(
      ([id, found]) =>
        `  ${id}: ${JSON.stringify(then.get(id))}, by its traffic ${JSON.stringify(found)}`,
    )
    const what = `${now.size} of ${report.clauses.length} clauses decided by the traffic`
    return {
      lines: [`${name}: ${what}, ${otherwise.length} otherwise`, ...lines],
      isAgreed: otherwise.length === 0,
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

async function act(): Promise<number> {
  let agreed = 0
  await doInProcesses<Awaited<ReturnType<typeof compared>>>([...targets.keys()], 1, (_, done) => {
    for (const line of done.lines) say(line)
    if (done.isAgreed) agreed += 1
  })
  say(`${agreed} of ${targets.length} agree`)
  return agreed === targets.length ? 0 : 1
}

if (isWorker) doJobs(async (at) => compared(targets[at] as Target))
else process.exit(await act())
