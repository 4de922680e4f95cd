// npm run records -- write DIR     records runs against twenty services over sockets
// npm run records -- replay DIR    replays each twice with the working tree; 1 unless all are exact
//   --forty (forty services), --kept (the two of selftest/records/kept), --only GLOB,
//   --busy (both cores are kept busy meanwhile)
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import { doInProcesses, doJobs, isWorker } from '../simulated/processes.ts'
import {
  differencesOf,
  recordIn,
  recordsIn,
  replay,
  reportIn,
  slugOf,
  writtenOf,
} from './recording.ts'
import { targetsOf } from './targets.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    forty: { type: 'boolean', default: false },
    kept: { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: ['*'] },
  },
})
const [command = '', folder = ''] = positionals
const dir = resolve(folder)
const say = (text: string) => process.stdout.write(`${text}\n`)

if (folder === '' || !['write', 'replay'].includes(command)) {
  say('say what to do with which folder: npm run records -- write|replay DIR')
  process.exit(2)
}

type Done = { lines: string[]; isExact: boolean }
type Job = { name: string; act(): Promise<Done> }

const secondsSince = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`

const bytesIn = (place: string): number =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

const kind = values.kept ? 'kept' : values.forty ? 'forty' : 'twenty'
const writing = (): Job[] =>
  targetsOf(kind).map(({ name, isLawful, run }) => ({
    name: slugOf(name),
    act: async () => {
      const [place, start] = [join(dir, slugOf(name)), performance.now()]
      const { exitCode, report } = await recordIn(place, run, values.kept)
      const size = `${Math.round(bytesIn(join(place, 'record')) / 1000)} kB`
      const count = `${report?.clauses.length} clauses, ${report?.requests} requests`
      const what = isLawful ? 'lawful' : 'fault'
      const line = `${name} (${what}): exit ${exitCode}, ${count}, ${size}, ${secondsSince(start)}`
      return { lines: [line], isExact: report?.record !== undefined }
    },
  }))

const replaying = (): Job[] => recordsIn(dir).map((name) => ({ name, act: () => replayed(name) }))

async function replayed(name: string): Promise<Done> {
  const [place, start] = [join(dir, name), performance.now()]
  const again = async () => {
    const { report } = await replay(join(place, 'record'))
    if (!report) throw new Error(`the replay of ${name} has no report`)
    return writtenOf(report)
  }
  const then = reportIn(place)
  const [now, second] = [await again(), await again()]
  const { places, moved } = differencesOf(then, now)
  const twice = differencesOf(now, second).places
  const departed = now.replayed?.departed
  const isExact = places.length + twice.length === 0 && !departed
  const found = [
    ...(departed ? [`left the record after ${departed.afterMs} ms: ${departed.why}`] : []),
    ...places.slice(0, 5).map((each) => `differs at ${each}`),
    ...moved.map((each) => `moved: ${each}`),
    ...twice.slice(0, 5).map((each) => `two replays differ at ${each}`),
  ]
  const [count, took] = [then.clauses.length, secondsSince(start)]
  const word = isExact ? `exact: ${count} verdicts` : `NOT EXACT, ${moved.length} of ${count} moved`
  return { lines: [`${name}: ${word}, ${took}`, ...found.map((each) => `  ${each}`)], isExact }
}

const jobs = (command === 'write' ? writing() : replaying()).filter(({ name }) =>
  matchesAny(name, values.only),
)

/** Computes on all cores; a process ends with this one, which closes its input. */
function keepBusy(): () => void {
  const loop = `process.stdin.resume().on('end', () => process.exit())
    setInterval(() => { for (const end = Date.now() + 100; Date.now() < end; ) Math.sqrt(end) })`
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', loop], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
  return () => busy.forEach((child) => void child.kill())
}

async function act(): Promise<number> {
  const end = values.busy ? keepBusy() : () => {}
  let exact = 0
  try {
    const { lost } = await doInProcesses<Done>([...jobs.keys()], 1, (_, { lines, isExact }) => {
      for (const line of lines) say(line)
      if (isExact) exact += 1
    })
    for (const at of lost) say(`LOST  the process ended: ${jobs[at]?.name}`)
  } finally {
    end()
  }
  say(`${exact} of ${jobs.length} ${command === 'write' ? 'recorded' : 'exact'}`)
  return exact === jobs.length ? 0 : 1
}

if (isWorker) doJobs(async (at) => jobs[at]?.act())
else process.exit(await act())
