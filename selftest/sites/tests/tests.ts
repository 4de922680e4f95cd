// What only a test can show of a site: a network that breaks, another run, a password.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cleanEnv } from '../../clean-env.ts'
import { createKept, digestOf, listSources, root } from '../../kept.ts'
import { type Ended, mark, type Order } from './order.ts'

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const config = join(import.meta.dirname, 'vitest.config.ts')

/** Those that run what they test in their own process. */
const rooms = ['selftest/engine', 'selftest/helpers']

const mostMs = 300_000

/** Runs files of tests, in a process of their own, with a site off or none. */
export async function runTests(order: Order): Promise<Ended[]> {
  const child = spawn(process.execPath, [vitest, 'run', '--config', config], {
    cwd: root,
    env: { ...cleanEnv(), SITE_TESTS: JSON.stringify(order) },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: order.off === undefined ? mostMs : mostMs / 3,
    killSignal: 'SIGKILL',
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const ended: Ended[] = []
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith(mark)) ended.push(JSON.parse(line.slice(mark.length)))
  process.off('exit', end)
  return ended
}

/** A file of tests with no site off, and the digest of its text. */
type Recorded = Ended & { digest: string }

const kept = createKept<Recorded>('site-tests.jsonl')

/** In which files of tests sites speak; what has been recorded is not run again. */
export async function recordTests(mayGoOn: () => boolean): Promise<Recorded[]> {
  const digests = new Map(
    listSources(...rooms)
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => [file, digestOf(readFileSync(join(root, file), 'utf8'))]),
  )
  const isCurrent = ({ file, digest }: Recorded) => digests.get(file) === digest
  const known = new Map(
    kept
      .read()
      .filter(isCurrent)
      .map((each) => [each.file, each]),
  )
  const waiting = [...digests.keys()].filter((file) => !known.has(file))
  for (let at = 0; at < waiting.length && mayGoOn(); at += 8) {
    for (const each of await runTests({ files: waiting.slice(at, at + 8) })) {
      const recorded = { ...each, digest: digests.get(each.file) ?? '' }
      known.set(each.file, recorded)
      kept.keep(recorded)
    }
  }
  return [...known.values()]
}

/** A file of tests that takes longer may be red for the time that it is given. */
const mostSeconds = 30

/** The first file of tests that is red where a site is off, and green where it is not: the quickest first. */
export async function redWithout(
  site: string,
  recorded: readonly Recorded[],
  most = 4,
): Promise<string | undefined> {
  const speaking = recorded
    .filter(({ red, spoke, seconds }) => !red && seconds <= mostSeconds && spoke.includes(site))
    .toSorted((one, two) => one.seconds - two.seconds)
  for (const { file } of speaking.slice(0, most)) if (await isRedWithout(site, file)) return file
  return undefined
}

/** Whether a file of tests is red where a site is off, and comes by it. */
export async function isRedWithout(site: string, file: string): Promise<boolean> {
  const [ended] = await runTests({ files: [file], off: site })
  return ended?.red !== undefined && ended.silenced
}
