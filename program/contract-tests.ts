// The clauses as tests in a user's own vitest. The command `check` runs in a separate process, so
// nothing here imports the user's vitest: `test` is passed in.

import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { ClauseReport, Report } from '../engine/run/report.ts'
import { clock } from '../engine/time/timers.ts'
import type { ProfileName } from '../helpers/settings/profiles.ts'
import { names } from '../helpers/settings/table.ts'
import { summaryOf } from '../reporting/parts/summary.ts'

const root = join(import.meta.dirname, '..')

export function programCall(...args: string[]): [command: string, args: string[]] {
  const extension = extname(import.meta.filename)
  const byTsx = extension === '.ts' ? ['--import', 'tsx'] : []
  return [process.execPath, [...byTsx, '--', join(root, `contract${extension}`), ...args]]
}

/** The target of a run. A setting without a member here goes into `settings` by its name. */
export type Target = {
  baseUrl: string
  apiKey: string
  taskIds?: readonly string[]
  readTaskIds?: readonly string[]
  assessmentIds?: readonly string[]
  actorId?: string
  userIds?: readonly string[]
  teamIds?: readonly string[]
  settings?: Readonly<Record<string, string>>
  stop?: () => unknown
}

export type Choice = {
  /** default: full */
  profile?: ProfileName
  /** globs of the ids of clauses; default: all of the profile */
  clauses?: readonly string[]
  flags?: readonly string[]
  /** default: reports/contract */
  reportsDir?: string
  /** tags each test with its level, operation and profiles; the config needs `contractTags` */
  tags?: boolean
}

/** The parts of any vitest's `test` that are used here. */
type Test = (name: string, options: { timeout: number; tags?: string[] }, body: Body) => unknown
type Body = (context: Context) => Promise<void>
type Task = { name: string; mode: string; tasks?: Task[] }
type Context = {
  task: { file: { tasks: Task[] } }
  signal: AbortSignal
  annotate(text: string, kind?: string): Promise<unknown>
  skip(note?: string): never
}

type Listed = { id: string; level: string; operation?: string; profiles: string[] }

/** The value of `test.tags` in a config that uses `tags`: levels, operations and profiles. */
export const contractTags: readonly { name: string }[] = [
  ...['must', 'should', 'observe', 'smoke', 'reads', 'updates', 'export'],
  ...['task.read', 'assessment.read', 'assign.update', 'assign.unassign', 'export.events'],
].map((name) => ({ name }))

/**
 * Registers each clause as a test of the caller's file, named by its id. One run checks all clauses that
 * vitest is about to run. A function in place of a target starts one for it.
 */
export async function contractTests(
  test: (...args: never[]) => unknown,
  target: Target | (() => Promise<Target>),
  choice: Choice = {},
): Promise<void> {
  const { profile = 'full', clauses = [], tags = false } = choice
  const chosen = ['--profile', profile, ...clauses.flatMap((each) => ['--clauses', each])]
  const place = { cwd: process.cwd(), env: withoutSettings(process.env) }
  const register = test as Test
  const end = await registerAll(
    chosen,
    place,
    (clause, body) =>
      register(clause.id, { timeout: 0, ...(tags && { tags: tagsOf(clause) }) }, body),
    (wanted, signal) => checkTarget(target, choice, wanted, signal),
  )
  // For what no clause says, such as a task that was not put back.
  register('the run', { timeout: 0 }, async ({ skip }) => {
    if (!(await end())) skip('no clause was run')
  })
}

/**
 * Registers the clauses that these flags select: the first of them starts the run of all that vitest is about to
 * run. The result needs that nothing but the clauses failed; it is false if none was run.
 */
export async function registerAll(
  flags: readonly string[],
  { cwd, env }: Place,
  register: (clause: Listed, body: Body) => unknown,
  check: (wanted: string[], signal: AbortSignal, all: number) => Promise<Checked>,
): Promise<() => Promise<boolean>> {
  const [command, args] = programCall('clauses', '--format', 'ndjson', ...flags)
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 2 ** 24 })
  const lines = stdout.split('\n').filter(Boolean)
  const listed: Listed[] = lines.map((line) => JSON.parse(line))
  let run: Promise<Checked> | undefined
  let wanted: string[] = []
  for (const clause of listed)
    register(clause, async (context) => {
      if (!run) {
        wanted = wantedIn(context, listed)
        run = check(wanted, context.signal, listed.length)
      }
      const { report, printed } = await run
      const found = report?.clauses.find(({ id }) => id === clause.id)
      if (!found) throw new Error(`not checked: ${printed}`)
      await conclude(found, context)
    })
  return async () => {
    if (run) needNothingElse(await run, wanted)
    return run !== undefined
  }
}

const tagsOf = ({ level, operation, profiles }: Listed): string[] => [
  level,
  ...(operation ? [operation === 'export' ? 'export.events' : operation] : []),
  ...profiles.filter((each) => each !== 'full'),
]

type Env = Record<string, string | undefined>

/** vite's BASE_URL, or settings of another run, are not settings of this one. */
const withoutSettings = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.some((each) => each === name)))

async function checkTarget(
  target: Target | (() => Promise<Target>),
  { profile = 'full', flags = [], reportsDir = 'reports/contract' }: Choice,
  ids: string[],
  signal: AbortSignal,
): Promise<Checked> {
  const { stop, settings = {}, ...given } = typeof target === 'function' ? await target() : target
  const own = Object.entries(given).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
    [value].flat().join(),
  ])
  const folder = mkdtempSync(join(tmpdir(), 'contract-'))
  try {
    // An empty file replaces the caller's .env, which is for another target.
    const nothing = join(folder, 'env')
    writeFileSync(nothing, '')
    const cwd = process.cwd()
    const env = {
      ...withoutSettings(process.env),
      JOURNAL_DIR: join(folder, 'journal'),
      REPORTS_DIR: resolve(reportsDir),
      CONTRACT_STARTED_BY: 'vitest',
      ...Object.fromEntries(own),
      ...settings,
    }
    const selected = ['--profile', profile, '--clauses', ids.join()]
    const args = ['--env-file', nothing, ...selected, ...flags]
    return await checkClauses(args, { cwd, env, reports: resolve(reportsDir), signal })
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await stop?.()
  }
}

type Checked = { report?: Report; exitCode: number | null; printed: string }

type Place = { cwd: string; env: Env }

/** The clauses that `-t` or the editor selected. */
function wantedIn({ task }: Context, listed: readonly Listed[]): string[] {
  const within = (tasks: readonly Task[]): Task[] =>
    tasks.flatMap((each) => [each, ...within(each.tasks ?? [])])
  const running = within(task.file.tasks).filter(({ mode }) => mode === 'run')
  const wanted = new Set(running.map(({ name }) => name))
  return listed.flatMap(({ id }) => (wanted.has(id) ? [id] : []))
}

/** Runs the command `check` in a process and reads the report that it writes. */
export async function checkClauses(
  flags: readonly string[],
  { cwd, env, reports, signal }: Place & { reports: string; signal: AbortSignal },
): Promise<Checked> {
  const begun = clock.date()
  const [command, args] = programCall('check', ...flags)
  // A process that npm started puts tasks back when its parent is gone.
  const all = { npm_command: 'run', ...env }
  const child = spawn(command, args, { cwd, env: all, stdio: ['ignore', 'pipe', 'pipe'] })
  const interrupt = () => child.kill('SIGINT')
  signal.addEventListener('abort', interrupt)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk
    })
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  signal.removeEventListener('abort', interrupt)
  const report = readReport(reports, begun)
  return { ...(report ? { report } : {}), exitCode, printed }
}

/** The report of a run that began at or after this time; a run that failed to start leaves an older report. */
function readReport(dir: string, begun: number): Report | undefined {
  try {
    const report = JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8'))
    return Date.parse(report.startedAt) >= begun ? report : undefined
  } catch {
    return undefined
  }
}

/** Ends the test of a clause by its verdict. */
async function conclude(
  { verdict, waiver, statement, reason = '', observed, breaches = [] }: ClauseReport,
  { annotate, skip }: Context,
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

/** A failure without a stack, because no line of code caused it. */
const failureOf = (message: string, seen: { expected?: string; actual?: string } = {}): Error =>
  Object.assign(new Error(message), { name: 'Breach', stack: '', ...seen })

/** Fails if the run was not conformant for a reason besides the clauses that vitest ran. */
function needNothingElse({ report, exitCode, printed }: Checked, wanted: readonly string[]): void {
  const verdict = report ? summaryOf(report).line : printed.trim()
  const files = printed.match(/^ *reports: .*$/m) ?? []
  process.stdout.write(
    `\n${[verdict, ...files].join('\n')}\n  exit code of the run: ${exitCode}; vitest ends with 1 for any failure\n`,
  )
  if (exitCode === 0 || !report) return
  const isFailed = ({ verdict, waiver }: ClauseReport) =>
    !waiver && (verdict === 'fail' || verdict === 'inconclusive')
  const failed = report.clauses.filter(isFailed)
  const others = failed.filter(({ id }) => !wanted.includes(id))
  const told = others.map(
    ({ id, verdict, reason }) => `${verdict}: ${id}, which was not selected: ${reason}`,
  )
  if (failed.length === 0) told.push(...report.reasons)
  if (told.length > 0) throw failureOf(told.join('\n'))
}
