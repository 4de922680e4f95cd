// A service in Python that was written from the contract alone, lawful in 13 ways and wrong in 40:
// node --import tsx selftest/python-service/meet.ts [names]
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { brokenIn, runProgram } from '../proofs/prove.ts'

type Meeting = {
  name: string
  kind: 'profile' | 'stated' | 'natural'
  /** the sentence of the contract that it breaks or leaves open, or the natural reading */
  sentence: string
}

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

export const plain: Meeting = { name: 'plain', kind: 'profile', sentence: 'the service as it is' }

/** Everything that it can be. */
export function meetings(): Meeting[] {
  const list = execFileSync('python3', [...python, '--list'], { cwd, encoding: 'utf8' })
  return [plain, ...(JSON.parse(list) as Meeting[])]
}

/** Starts the one of a folder on free ports, and returns the settings of a run against it. */
export async function start({ name, kind }: Meeting, folder = cwd) {
  const ways = name === 'plain' ? [] : [kind === 'profile' ? '--profile' : '--bug', name]
  // The limit of a PDF shows only with more events than it.
  const events = name === 'pdf-limit-cut' ? ['--events', '6000'] : []
  const args = [...python, '--port', '0', '--mail-port', '0', ...ways, ...events]
  const child = spawn('python3', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
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

/** Runs the suite against one of them, as an operator would. */
export async function meet(meeting: Meeting, argv: string[] = [], folder = cwd) {
  const service = await start(meeting, folder)
  try {
    // Longer than the lag of the lagging profile; it mails and records within half a second.
    const waits = { SETTLE_MS: '500', AUDIT_WAIT_S: '3', MAIL_WAIT_S: '3', SEED: '7' }
    const checked = await runProgram({ ...service.env, ...waits }, argv)
    return { ...checked, broken: brokenIn(checked) }
  } finally {
    service.stop()
  }
}

type MeetingReport = Awaited<ReturnType<typeof meet>>

/** A lawful one ends with 0; a broken one does not end without a word. */
export const isRight = ({ kind }: Meeting, { exitCode, broken }: MeetingReport): boolean =>
  kind === 'profile' ? exitCode === 0 : exitCode === 1 || broken.length > 0

if (process.argv[1]?.endsWith('meet.ts')) {
  const wanted = process.argv.slice(2)
  const lines = ['| what | kind | exit | blamed | as it should be |', '|---|---|---|---|---|']
  for (const meeting of meetings()) {
    if (wanted.length > 0 && !wanted.includes(meeting.name)) continue
    const met = await meet(meeting)
    const some = met.broken.slice(0, 4).join(', ')
    const blamed = met.broken.length > 4 ? `${some} and ${met.broken.length - 4} more` : some
    const right = isRight(meeting, met) ? 'yes' : 'NO'
    const line = `| ${meeting.name} | ${meeting.kind} | ${met.exitCode} | ${blamed} | ${right} |`
    lines.push(line)
    process.stdout.write(`${line}\n`)
  }
  if (wanted.length === 0)
    writeFileSync(new URL('../../reports/meetings.md', import.meta.url), `${lines.join('\n')}\n`)
  process.exit(0)
}
