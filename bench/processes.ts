import { type ChildProcess, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')
const perhapsHours = 15 * 60_000

export type Sample = { seconds: number; told: Record<string, number>; said?: string }

type Given = {
  env?: Record<string, string>
  cwd?: string
  mayEndWith?: number[]
  /** looks at the process again and again while it runs */
  look?: (pid: number) => void
}

/** A script of package.json, without the npm that would start it. */
export function npmScript(name: string): { command: string; args: string[] } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return { command: '/bin/sh', args: ['-c', scripts[name]] }
}

/** The arguments of node for a TypeScript file. */
export const tsx = (file: string, ...args: (string | number)[]): string[] => [
  '--import',
  'tsx',
  join(root, file),
  ...args.map(String),
]

/** Runs node to its end; a process that fails is an error with the end of what it said. */
export const timedNode = (args: string[], given: Given = {}): Promise<Sample> =>
  timed(process.execPath, args, given)

/** Runs a process to its end; one that fails is an error with the end of what it said. */
export function timed(
  command: string,
  args: string[],
  { env = {}, cwd = root, mayEndWith = [0], look }: Given = {},
): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(command, args, {
      cwd,
      env: { ...withoutSettings(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: perhapsHours,
    })
    const looking = look && setInterval(() => look(child.pid ?? 0), 50)
    let said = ''
    let lastLine = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        said = (said + piece).slice(-100_000)
      })
    child.stdout.on('data', (piece) => {
      lastLine = (lastLine + piece).slice(-4000)
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearInterval(looking)
      const seconds = (performance.now() - start) / 1000
      if (code !== null && mayEndWith.includes(code))
        return resolve({ seconds, told: toldIn(lastLine.trim().split('\n').at(-1) ?? ''), said })
      const lines = said.trim().split('\n')
      const line = lines.findLast((each) => /error/i.test(each)) ?? lines.at(-1)
      reject(new Error(`ended with ${code ?? signal}: ${line?.trim() || 'it said nothing'}`))
    })
  })
}

type Beside<First> = {
  pid: number
  told: First
  close(): Promise<void>
}

/** Starts a file of the bench beside the processes that are timed. */
export async function beside<First>(
  file: string,
  ...args: (string | number)[]
): Promise<Beside<First>> {
  const child = fork(join(root, file), args.map(String), {
    execArgv: ['--import', 'tsx'],
    env: withoutSettings(),
    cwd: root,
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const next = <T>() => nextMessage<T>(child)
  const told = await next<First>()
  return {
    pid: child.pid ?? 0,
    told,
    close: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`the process beside it ended: ${code}`))
    child.once('exit', gone)
    child.once('message', (message) => {
      child.off('exit', gone)
      resolve(message as T)
    })
  })
}

/** The user's own settings must not affect what is measured. */
function withoutSettings(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR }
}

function toldIn(line: string): Record<string, number> {
  try {
    const told = JSON.parse(line)
    return typeof told === 'object' && told !== null ? told : {}
  } catch {
    return {}
  }
}
