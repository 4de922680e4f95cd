// The clauses as tests of vitest. They are checked by the command `check` in a process of its own: verdicts,
// reports and putting back are those of `npm run contract`, also where vitest is killed.
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, inject, type TestAPI, type TestContext } from 'vitest'
import type { ClauseReport, Report } from '../engine/run/report.ts'
import { readEnvironment } from '../engine/settings/environment.ts'
import { verdictLine } from '../reporting/parts/count.ts'

const root = join(import.meta.dirname, '..')

/** How a command of this program is called in a process of its own. */
export function programCall(...args: string[]): [command: string, args: string[]] {
  const extension = extname(import.meta.filename)
  const byTsx = extension === '.ts' ? ['--import', 'tsx'] : []
  return [process.execPath, [...byTsx, join(root, `contract${extension}`), ...args]]
}

declare module 'vitest' {
  interface ProvidedContext {
    /** that of vitest's caller: in its workers vite puts a BASE_URL of its own in place */
    environment: Record<string, string | undefined>
  }
}

/** Registers each clause as a test with its id; one run checks all that vitest is about to run. */
export async function registerClauses(test: TestAPI): Promise<void> {
  const ids = await listIds()
  let run: Promise<Checked> | undefined
  for (const id of ids)
    test(id, async (context) => {
      run ??= checkClauses(wantedIn(context), ids.length, context.signal)
      const { report, printed } = await run
      const clause = report?.clauses.find((each) => each.id === id)
      if (!clause) throw new Error(`not checked: ${printed}`)
      await conclude(clause, context)
    })
  afterAll(async () => {
    if (run) needNothingElse(await run)
  })
}

type Checked = {
  report?: Report
  exitCode: number | null
  printed: string
  wanted: ReadonlySet<string>
}

async function listIds(): Promise<string[]> {
  const [command, args] = programCall('clauses')
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: root,
    env: inject('environment'),
  })
  return [...stdout.matchAll(/^(?:must|should|observe) +(\S+)/gm)].map(([, id = '']) => id)
}

/** The tests of a file that `-t` or a button has left to run. */
const wantedIn = ({ task }: TestContext): string[] =>
  task.file.tasks.flatMap(({ name, mode }) => (mode === 'run' ? [name] : []))

async function checkClauses(ids: string[], all: number, signal: AbortSignal): Promise<Checked> {
  const begun = Date.now()
  const chosen = ids.length < all ? ['--clauses', ids.join()] : []
  const [command, args] = programCall('check', ...chosen)
  // A process that npm started puts tasks back when its parent is gone.
  const env = { npm_command: 'run', ...inject('environment') }
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const interrupt = () => child.kill('SIGINT')
  signal.addEventListener('abort', interrupt)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk
    })
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  signal.removeEventListener('abort', interrupt)
  const report = readReport(begun)
  return { ...(report ? { report } : {}), exitCode, printed, wanted: new Set(ids) }
}

/** The report of a run that began at this time or later; one that could not begin leaves an older one. */
function readReport(begun: number): Report | undefined {
  const { REPORTS_DIR = 'reports' } = readEnvironment(root, inject('environment'))
  try {
    const report = JSON.parse(readFileSync(resolve(root, REPORTS_DIR, 'report.json'), 'utf8'))
    return Date.parse(report.startedAt) >= begun ? report : undefined
  } catch {
    return undefined
  }
}

/** Ends the test of a clause as its verdict says. */
async function conclude(
  { verdict, waiver, statement, reason = '', observed, breaches = [] }: ClauseReport,
  { annotate, skip }: TestContext,
): Promise<void> {
  if (verdict === 'skip') skip(reason)
  if (verdict === 'inconclusive') throw failureOf(`inconclusive: ${reason}`)
  if (verdict === 'fail' && !waiver) {
    const [{ expected, got } = {}] = breaches
    const told = breaches.map(({ sentence }) => sentence).join('\n')
    throw failureOf(`${statement}\n${told || reason}`, { expected, actual: got })
  }
  if (verdict === 'warn') await annotate(`warning: ${reason}`, 'warning')
  if (verdict === 'fail') await annotate(`waived: ${reason}`, 'warning')
  if (verdict === 'observed') await annotate(JSON.stringify(observed))
}

/** A failure that has no stack: no line of code is to blame for it. */
const failureOf = (message: string, seen: { expected?: string; actual?: string } = {}): Error =>
  Object.assign(new Error(message), { name: 'Breach', stack: '', ...seen })

/** Fails with what is known of the run beside the clauses that vitest ran. */
function needNothingElse({ report, exitCode, printed, wanted }: Checked): void {
  const verdict = report ? verdictLine(report) : printed.trim()
  const files = printed.match(/^ *reports: .*$/m) ?? []
  process.stdout.write(
    `\n${[verdict, ...files].join('\n')}\n  as npm run contract this run ends with ${exitCode}; vitest ends with 1 whatever failed\n`,
  )
  if (exitCode === 0 || !report) return
  const isFailed = ({ verdict, waiver }: ClauseReport) =>
    !waiver && (verdict === 'fail' || verdict === 'inconclusive')
  const failed = report.clauses.filter(isFailed)
  const others = failed.filter(({ id }) => !wanted.has(id))
  const told = others.map(
    ({ id, verdict, reason }) => `${verdict}: ${id}, which was not selected: ${reason}`,
  )
  if (failed.length === 0) told.push(...report.reasons)
  if (told.length > 0) throw failureOf(told.join('\n'))
}
