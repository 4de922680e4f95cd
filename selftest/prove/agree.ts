// The traffic of runs against some 25 lawful services is judged as the runs did, over sockets and in real time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Report } from '../../engine/run/report.ts'
import { judge } from '../../program/judge.ts'
import type { Checked } from '../../program/report/finish.ts'
import { harOf } from '../../reporting/har.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst, runProgram } from '../proofs/prove.ts'
import { proofs } from '../proofs/trials.ts'
import { hasPython, plain, start } from '../python-service/meet.ts'
import { chosen, type Kind, say, type Wrong, wrongOf } from './kind.ts'

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
/** Once: an update refused for its comment, a PDF for its range, a file elsewhere, another encoding. */
const judgedOtherwise = [
  'comments without a space are refused',
  'a PDF of more than a year is refused',
  'files stand at addresses of another kind than http',
  'lists as indices, ARRAY_ENCODING auto',
].map((name) => `variant ${name}`)
const lawful: { name: string; bent: Bent }[] = [
  { name: 'the reference service', bent: {} },
  ...variants.filter(({ name }, at) => at % apart === 0 || judgedOtherwise.includes(name)),
]
const targets: Target[] = [
  ...lawful.map(({ name, bent }) => ({
    name,
    run: (env: Env) => runAgainst({ ...bent, env: { ...bent.env, ...env } }, [], own),
  })),
  ...(hasPython() ? [python] : []),
]

/** What a report says of each clause that it decides, by its id. */
const decidedIn = ({ clauses }: Report) =>
  new Map(
    clauses.flatMap(({ id, verdict, observed, varies }) => {
      if (['skip', 'inconclusive'].includes(verdict)) return []
      return [[id, varies ? { verdict } : { verdict, observed }] as const]
    }),
  )

type Told = { decided: number; of: number; otherwise: string[] }

async function compared({ run }: Target): Promise<Told> {
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
    if (!report || !judged.report) return { decided: 0, of: 0, otherwise: ['no report'] }
    const [then, now] = [decidedIn(report), decidedIn(judged.report)]
    const otherwise = [...now].filter(([id, found]) => !isDeepStrictEqual(found, then.get(id)))
    return {
      decided: now.size,
      of: report.clauses.length,
      otherwise: otherwise.map(
        ([id, found]) =>
          `${id}: ${JSON.stringify(then.get(id))}, by its traffic ${JSON.stringify(found)}`,
      ),
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

export const agree: Kind<string, Told> = {
  sources: ['selftest/python-service'],
  nameOf: (name) => name,
  act: (name) => compared(targets.find((each) => each.name === name) as Target),
  async prove(flags, tryAll) {
    const names = chosen(targets, flags).map(({ name }) => name)
    const wrong: Wrong[] = []
    const expected = 'what the run said of each clause that its traffic decides'
    await tryAll(names, (name, { decided, of, otherwise }) => {
      say(`${name}: ${decided} of ${of} clauses decided by the traffic`)
      if (otherwise.length > 0)
        wrong.push(wrongOf(flags, [name], expected, otherwise.join('\n    ')))
    })
    return {
      wrong,
      figure: `${names.length - wrong.length} of ${names.length} runs agree with their traffic`,
    }
  },
}
