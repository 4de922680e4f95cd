// A service in Python that was written from the contract alone, in 13 lawful ways.
import { execFileSync, spawn } from 'node:child_process'
import { brokenIn, runProgram } from '../proofs/prove.ts'

const cwd = import.meta.dirname
const python = ['-B', '-m', 'service']

/** Whether there is a Python to run it with. */
export function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))'])
    return true
  } catch {
    return false
  }
}

/** As it is. */
export const plain = 'plain'

/** The other ways that it can take. */
export function profiles(): string[] {
  const list = 'import json; from service.settings import PROFILES; print(json.dumps([*PROFILES]))'
  return JSON.parse(execFileSync('python3', ['-B', '-c', list], { cwd, encoding: 'utf8' }))
}

/** Starts one on free ports, and returns the settings of a run against it. */
export async function start(profile: string) {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
  const ways = profile === plain ? [] : ['--profile', profile]
  const child = spawn('python3', [...python, ...ways], { cwd, stdio })
  const env = await new Promise<Record<string, string>>((resolve, reject) => {
    let text = ''
    child.on('exit', () => reject(new Error('the service in Python ended')))
    child.stdout.on('data', (piece) => {
      text += piece
      const [line, rest] = text.split('\n')
      if (rest !== undefined) resolve(JSON.parse(line ?? ''))
    })
  })
  return { env, stop: () => child.kill() }
}

/** Longer than the lag of the lagging profile; it mails and records within half a second. */
export const waits = { SETTLE_MS: '500', AUDIT_WAIT_S: '3', MAIL_WAIT_S: '3', SEED: '7' }

/** Runs the suite against one of them, as an operator would. */
export async function meet(profile: string, argv: string[] = []) {
  const service = await start(profile)
  try {
    const checked = await runProgram({ ...service.env, ...waits }, argv)
    return { ...checked, broken: brokenIn(checked) }
  } finally {
    service.stop()
  }
}
