// The clauses as tests in a user's own vitest. The command `check` runs in a separate process, so
// nothing here imports the user's vitest: `test` is passed in.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import type { ClauseReport, Report } from '../engine/run/report.ts'
import { readEnvironment } from '../engine/settings/environment.ts'
import type { Environment } from '../engine/settings/table.ts'
import { clock } from '../engine/time/timers.ts'
import { operations } from '../helpers/contract/operations.ts'
import { type ProfileName, profileNames } from '../helpers/settings/profiles.ts'
import { names, removedSettings } from '../helpers/settings/table.ts'
import { levels } from '../reporting/parts/count.ts'
import { summaryOf } from '../reporting/parts/summary.ts'
import { clausesFlag, collectClauses, profilesOf, suite } from './clauses.ts'
import { reportIn } from './input/read-report.ts'

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
  profile?: ProfileName
  /** globs of the ids of clauses; default: all of the profile */
  clauses?: readonly string[]
  /** further flags, as on the command line */
  flags?: readonly string[]
  reportsDir?: string
  /** tags each test with its level, operation and profiles; the config needs `contractTags` */
  tags?: boolean
}

export const flagsOf = ({ profile, clauses = [], flags = [] }: Choice): string[] => [
  ...(profile === undefined ? [] : ['--profile', profile]),
  ...(clauses.length > 0 ? ['--clauses', clauses.join()] : []),
  ...flags,
]

type Test = (name: string, options: { timeout: number; tags?: string[] }, body: Body) => unknown
type Body = (context: Context) => Promise<void>
type Task = { name: string; mode: string; tasks?: Task[] }
type Context = {
  task: { file: { tasks: Task[] } }
  signal: AbortSignal
  annotate(text: string, kind?: string): Promise<unknown>
  skip(note?: string): never
}

type Listed = { id: string; level: string; operation?: string }

/** The profile is called `export` too. */
const tagOf = (operation: string) => (operation === 'export' ? 'export.events' : operation)

/** The value of `test.tags` in a config that uses `tags`: levels, operations and profiles. */
export const contractTags: readonly { name: string }[] = [
  ...[...levels, ...profileNames.filter((each) => each !== 'full')],
  ...Object.keys(operations).map(tagOf),
].map((name) => ({ name }))

/**
 * One run checks all clauses that vitest is about to run. A function in place of a target starts one for
 * it.
 */
export async function contractTests(
  test: (...args: never[]) => unknown,
  target: Target | (() => Promise<Target>),
  choice: Choice = {},
): Promise<void> {
  const { profile, clauses = [], tags = false } = choice
  const listed = await collectClauses({ profile, clauses: [...clauses] })
  registerAll(test as Test, listed, {
    tagsOf: tags ? tagsOf : undefined,
    check: (wanted, signal) => checkTarget(target, choice, wanted, signal),
  })
}

/** The same for the service of the environment and .env, in this checkout's vitest. */
export function registerClauses(test: (...args: never[]) => unknown, env: Environment): void {
  const { REPORTS_DIR = 'reports' } = readEnvironment(root, env)
  const run = { cwd: root, env, reports: resolve(root, REPORTS_DIR) }
  registerAll(test as Test, suite, {
    check: (wanted, signal) => checkClauses(clausesFlag(wanted), { ...run, signal }),
  })
}

type How = {
  tagsOf?: ((clause: Listed) => string[]) | undefined
  check(wanted: string[], signal: AbortSignal): Promise<Checked>
}

/** the test of what no clause says, such as a task that was not put back */
const wholeRun = 'the run'

function registerAll(test: Test, listed: readonly Listed[], { tagsOf, check }: How): void {
  let run: Promise<Checked> | undefined
  let wanted: string[] = []
  for (const clause of listed) {
    const tags = tagsOf && { tags: tagsOf(clause) }
    test(clause.id, { timeout: 0, ...tags }, async (context) => {
      const isFirst = run === undefined
      const running = selectedIn(context)
      if (!run) {
        wanted = listed.flatMap(({ id }) => (running.has(id) ? [id] : []))
        run = check(wanted, context.signal).then(tell)
      }
      const ended = await run
      const found = ended.report?.clauses.find(({ id }) => id === clause.id)
      if (!found) throw new Error(`not checked: ${ended.printed}`)
      try {
        await conclude(found, context)
      } finally {
        // `-t` leaves the last test out.
        if (isFirst && !running.has(wholeRun)) needNothingElse(ended, wanted)
      }
    })
  }
  test(wholeRun, { timeout: 0 }, async ({ skip }) => {
    needNothingElse(await (run ?? skip('no clause was run')), wanted)
  })
}

const tagsOf = ({ id, level, operation }: Listed): string[] => [
  ...(operation ? [level, tagOf(operation)] : [level]),
  ...profilesOf(id).filter((each) => each !== 'full'),
]

function selectedIn({ task }: Context): Set<string> {
  const within = (tasks: readonly Task[]): Task[] =>
    tasks.flatMap((each) => [each, ...within(each.tasks ?? [])])
  const running = within(task.file.tasks).filter(({ mode }) => mode === 'run')
  return new Set(running.map(({ name }) => name))
}

async function checkTarget(
  target: Target | (() => Promise<Target>),
  choice: Choice,
  ids: string[],
  signal: AbortSignal,
): Promise<Checked> {
  const reports = resolve(choice.reportsDir ?? 'reports/contract')
  const { stop, settings = {}, ...given } = typeof target === 'function' ? await target() : target
  const own = Object.entries(given).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
    [value].flat().join(),
  ])
  // vite's BASE_URL, or settings of another run, are not settings of this one.
  const ours: string[] = [...names, ...Object.keys(removedSettings)]
  const others = Object.entries(process.env).filter(([name]) => !ours.includes(name))
  const env = {
    ...Object.fromEntries(others),
    ...{ REPORTS_DIR: reports, CONTRACT_STARTED_BY: 'vitest' },
    ...Object.fromEntries(own),
    ...settings,
  }
  // An empty file replaces the caller's .env, which is for another target.
  const folder = mkdtempSync(join(tmpdir(), 'contract-'))
  const nothing = join(folder, 'env')
  try {
    writeFileSync(nothing, '')
    const flags = ['--env-file', nothing, ...flagsOf({ profile: 'full', ...choice, clauses: ids })]
    return await checkClauses(flags, { cwd: process.cwd(), env, reports, signal })
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await stop?.()
  }
}

/** `reports`: the folder of its report */
type Checked = { report?: Report; reports: string; exitCode: number | null; printed: string }

type Place = { cwd: string; env: Environment; reports: string; signal: AbortSignal }

/** Runs the command `check` in a process, which puts tasks back even if vitest is killed; reads its report. */
async function checkClauses(flags: readonly string[], { cwd, env, reports, signal }: Place) {
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
  const report = reportIn(reports)
  // A run that failed to start leaves an older report.
  const isOwn = report !== undefined && Date.parse(report.startedAt) >= begun
  return { ...(isOwn ? { report } : {}), reports, exitCode, printed }
}

function tell(ended: Checked): Checked {
  const { report, reports, exitCode, printed } = ended
  const found = report ? `${summaryOf(report).line}\n  reports: ${reports}` : printed.trim()
  process.stdout.write(
    `\n${found}\n  exit code of the run: ${exitCode}; vitest ends with 1 for any failure\n`,
  )
  return ended
}

async function conclude(clause: ClauseReport, { annotate, skip }: Context): Promise<void> {
  const { verdict, waiver, statement, reason = '', observed, breaches = [] } = clause
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

function needNothingElse({ report, exitCode }: Checked, wanted: readonly string[]): void {
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
