// Recorded runs, over sockets and in real time.
//   records write DIR [forty]    against twenty services, or forty; selftest/records/kept holds two of its own
//   records replay DIR [busy]    each twice with the working tree, and all cores busy: the same to the letter
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from '../kept.ts'
import {
  differencesOf,
  recordIn,
  recordsIn,
  replay,
  reportIn,
  slugOf,
  writtenOf,
} from '../records/recording.ts'
import { targetsOf } from '../records/targets.ts'
import { chosen, type Flags, type Kind, Refused, say, type Wrong, wrongOf } from './kind.ts'

type Done = { line: string; found: string[]; isExact: boolean }
type Job = { name: string; act(): Promise<Done> }

const secondsSince = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`

const bytesIn = (place: string): number =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

function jobsOf({ words: [command = '', folder = '', more] }: Flags): Job[] {
  const dir = resolve(folder)
  if (folder === '' || !['write', 'replay'].includes(command))
    throw new Refused('say what to do with which folder: records write DIR or records replay DIR')
  if (command === 'replay')
    return recordsIn(dir).map((name) => ({ name, act: () => replayed(join(dir, name)) }))
  const isKept = dir === join(root, 'selftest/records/kept')
  const kind = isKept ? 'kept' : more === 'forty' ? 'forty' : 'twenty'
  return targetsOf(kind).map(({ name, isLawful, run }) => ({
    name: slugOf(name),
    act: async () => {
      const [place, start] = [join(dir, slugOf(name)), performance.now()]
      const { exitCode, report } = await recordIn(place, run, isKept)
      const size = `${Math.round(bytesIn(join(place, 'record')) / 1000)} kB`
      const count = `${report?.clauses.length} clauses, ${report?.requests} requests`
      const what = isLawful ? 'lawful' : 'fault'
      const line = `${name} (${what}): exit ${exitCode}, ${count}, ${size}, ${secondsSince(start)}`
      return { line, found: [], isExact: report?.record !== undefined }
    },
  }))
}

async function replayed(place: string): Promise<Done> {
  const start = performance.now()
  const repeated = async () => {
    const { report } = await replay(join(place, 'record'))
    if (!report) throw new Error(`the replay of ${place} has no report`)
    return writtenOf(report)
  }
  const then = reportIn(place)
  const [now, second] = [await repeated(), await repeated()]
  const { places, moved } = differencesOf(then, now)
  const twice = differencesOf(now, second).places
  const departed = now.replayed?.departed
  const found = [
    ...(departed ? [`left the record after ${departed.afterMs} ms: ${departed.why}`] : []),
    ...places.slice(0, 5).map((each) => `differs at ${each}`),
    ...moved.map((each) => `moved: ${each}`),
    ...twice.slice(0, 5).map((each) => `two replays differ at ${each}`),
  ]
  const line = `${place}: ${then.clauses.length} verdicts, ${moved.length} moved, ${secondsSince(start)}`
  return { line, found, isExact: found.length === 0 }
}

/** Computes on all cores; a process ends with this one, which closes its input. */
function keepBusy(): () => void {
  const loop = `process.stdin.resume().on('end', () => process.exit())
    setInterval(() => { for (const end = Date.now() + 100; Date.now() < end; ) Math.sqrt(end) })`
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', loop], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
  return () => busy.forEach((child) => void child.kill())
}

export const records: Kind<string, Done> = {
  sources: [],
  isDoneAnew: true,
  nameOf: (name) => name,
  act: (name, flags) => (jobsOf(flags).find((each) => each.name === name) as Job).act(),
  async prove(flags, tryAll) {
    const jobs = chosen(jobsOf(flags), flags).map(({ name }) => name)
    const end = flags.words.includes('busy') ? keepBusy() : () => {}
    const isWritten = flags.words[0] === 'write'
    const expected = isWritten ? 'a record' : 'the same report, to the letter'
    const wrong: Wrong[] = []
    await tryAll(jobs, (name, { line, found, isExact }) => {
      say(line)
      const got = found.join('\n    ') || 'no record'
      if (!isExact) wrong.push(wrongOf(flags, [name], expected, got))
    }).finally(end)
    return {
      wrong,
      figure: `${jobs.length - wrong.length} of ${jobs.length} ${isWritten ? 'recorded' : 'exact'}`,
    }
  },
}
