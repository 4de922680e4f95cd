// npm run golden -- write FILE     runs every proof, and writes what each clause said
// npm run golden -- again FILE     runs them once more: pairs that differ are left out from then on
// npm run golden -- compare FILE   runs them, and says what changed; 1 where a change is not allowed
//   --all (with all clauses), --mutants, --python (parts of their own, in real time), --only GLOB, --jobs N,
//   --schedule 2 (which of several answers comes first; some breaches show in one order alone)
// Resumable. Proofs are run in simulated time; over sockets: node --import tsx selftest/golden/main.ts
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { matchesAny } from '../../engine/glob.ts'
import { commitOf, createKept, product, root } from '../kept.ts'
import { doInProcesses, doJobs, isWorker } from '../simulated/processes.ts'
import {
  type Allowed,
  changesBetween,
  describeChanges,
  isAllowed,
  type Matrix,
  varies,
} from './matrix.ts'
import { type Target, targetsOf } from './targets.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    python: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: ['*'] },
    schedule: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
})
const [command = '', file = ''] = positionals
if (file === '' || !['write', 'again', 'compare'].includes(command))
  fail('say what to do with which file: npm run golden -- write|again|compare FILE')
if (command !== 'write' && !existsSync(file))
  fail(`${file} is not there; npm run golden -- write ${file} makes it`)
const part = values.mutants ? 'mutants' : values.python ? 'python' : 'proofs'
const targets = targetsOf(part, values.all).filter(({ name }) => matchesAny(name, values.only))

const say = (text: string) => process.stdout.write(`${text}\n`)
process.env.SCHEDULE = values.schedule
if (isWorker) doJobs(async (at) => (targets[at] as Target).run())
else process.exit(await act())

async function act(): Promise<number> {
  const now = await runAll(command)
  if (command === 'write') save(now)
  else if (command === 'again') {
    const before = read()
    const keys = new Set([...before.keys(), ...now.keys()])
    const names = new Set(targets.map(({ name }) => name))
    const isChosen = (key: string) => names.has(key.split('\t')[0] ?? '')
    const said = (key: string) =>
      isChosen(key) && before.get(key) !== now.get(key) ? varies : (before.get(key) ?? varies)
    save(new Map([...keys].map((key) => [key, said(key)])))
  } else {
    const before = read()
    const allowed: Allowed[] = JSON.parse(
      readFileSync(join(root, 'selftest/golden-allowed.json'), 'utf8'),
    )
    const clauseOf = (key: string) => key.split('\t')[1] ?? ''
    const known = new Set([...now.keys()].map(clauseOf))
    const gone = new Set([...before.keys()].map(clauseOf).filter((id) => !known.has(id)))
    const unknown = [...gone].join(', ')
    if (unknown && values.only[0] === '*') say(`${file} has clauses that no run has: ${unknown}`)
    const changes = changesBetween(before, now, targets)
    say(describeChanges(changes, allowed))
    return changes.every((change) => isAllowed(change, allowed)) ? 0 : 1
  }
  return 0
}

/** Runs everything that has not run at this commit, and keeps each result as soon as it is there. */
async function runAll(round: string): Promise<Matrix> {
  const way = process.env.SIMULATED_BUNDLE === undefined ? 'over sockets' : 'in simulated time'
  const commit = commitOf(...product, 'selftest/proofs', 'selftest/mutants', 'selftest/simulated')
  const cacheKey = `${commit} ${way}, schedule ${values.schedule} ${round === 'again'}`
  type KeptResult = { cacheKey: string; target: string; said: [string, string][] }
  const kept = createKept<KeptResult>('golden.jsonl')
  const done = new Map(
    kept.read().flatMap((each) => (each.cacheKey === cacheKey ? [[each.target, each.said]] : [])),
  )
  const queue = targets.flatMap(({ name }, at) => (done.has(name) ? [] : [at]))
  say(`${targets.length} targets, ${queue.length} of them to run`)
  let ran = 0
  const { lost } = await doInProcesses<KeptResult['said']>(
    queue,
    Number(values.jobs),
    (at, said) => {
      const { name: target } = targets[at] as Target
      done.set(target, said)
      kept.keep({ cacheKey, target, said })
      if (++ran % 50 === 0) say(`${ran} of ${queue.length}, now ${target}`)
    },
  )
  if (lost.length > 0) fail(`not run: ${lost.map((at) => targets[at]?.name).join(', ')}`)
  return new Map(targets.flatMap(({ name }) => done.get(name) ?? []))
}

/** A line for each pair, sorted, so that diff reads it. */
function save(matrix: Matrix): void {
  const lines = [...matrix].map(([key, said]) => `${key}\t${said}\n`)
  const text = lines.sort().join('')
  writeFileSync(file, file.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text)
  say(`${lines.length} lines written to ${file}`)
}

function read(): Matrix {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return new Map(
    text.split('\n').flatMap((line) => {
      const [target, clause, said] = line.split('\t')
      return said === undefined ? [] : [[`${target}\t${clause}`, said]]
    }),
  )
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(2)
}
