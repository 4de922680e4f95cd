import { type Dirent, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { counted } from '../engine/counted.ts'
import { Impossible } from '../engine/impossible.ts'
import { writeWhole } from '../engine/journal/disk.ts'
import { exitCodeOf } from '../engine/run/exit-code.ts'
import { type Report, targetOf } from '../engine/run/report.ts'
import { clock } from '../engine/time/timers.ts'
import {
  type Board,
  boardOf,
  type FoundReport,
  isWhole,
  toldRun,
} from '../reporting/board/board.ts'
import { siteOf } from '../reporting/board/pages.ts'
import type { Facts } from '../reporting/comparison/compare.ts'
import { summaryOf } from '../reporting/parts/summary.ts'
import { present, printable } from '../reporting/parts/texts.ts'
import { factsOfSuite } from './clauses.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { orImpossible } from './input/read-json.ts'
import { readReport } from './input/read-report.ts'

type MakeBoard = Call & {
  /** what the suite holds; coverage is a part of it */
  manifest?: Facts[]
  now?: number
}

export async function makeBoard(call: MakeBoard): Promise<number> {
  const { cwd, out, manifest: facts = factsOfSuite(), now = clock.date() } = call
  const flags = readFlags('board', call)
  const dirs = flags.words.map((dir) => resolve(cwd, dir))
  const { found, passedOver } = findReports(dirs, facts)
  if (found.length === 0) {
    const none = `${flags.words.join(', ')}: no report was found; give folders that hold report.json.`
    throw new Impossible([none, ...passedOver].join('\n'))
  }
  const nameOf = ({ file, report }: FoundReport) =>
    flags.by === 'folder' ? folderOf(file, dirs) : targetOf(report)
  const { gate, reference, staleDays, out: site = 'board' } = flags
  const how = { manifest: facts, nameOf, reference, isGate: gate, staleDays, now }
  const board = boardOf(found, how)
  const told = { ...board, notices: [...board.notices, ...passedOver] }
  const files = write(told, resolve(cwd, site), site)
  const lines = [...summary(told, found.length), `  ${files} files: ${join(site, 'index.html')}`]
  const { exitCode, line } = gateOf(board)
  out.write(`${[...lines, ...(gate ? [line] : [])].map(printable).join('\n')}\n`)
  return gate ? exitCode : 0
}

/** the worst of the newest runs, which must be whole and of one revision */
function gateOf({ targets }: Board) {
  const all = targets.map(({ name, newest: { report } }) => {
    const exitCode = exitCodeOf(report)
    const isEnough = exitCode !== 0 || isWhole(report)
    return { name, line: summaryOf(report).short, exitCode: isEnough ? exitCode : 3 }
  })
  const revisions = targets.map(({ newest }) => newest.report.target.revision ?? 'unknown')
  const known = [...new Set(revisions)].sort()
  const open = all.filter(({ exitCode }) => exitCode !== 0)
  const found = [1, 3].find((code) => open.some(({ exitCode }) => exitCode === code)) ?? 0
  const exitCode = found === 0 && known.length > 1 ? 3 : found
  const word = exitCode === 0 ? 'PASSED' : exitCode === 1 ? 'FAILED' : 'INCONCLUSIVE'
  const of = `revision${known.length > 1 ? 's' : ''} ${known.join(', ')}`
  const told = open.map(({ name, line }) => `; ${name}: ${line}`)
  const line = `GATE ${word}: ${all.length - open.length} of ${counted(all.length, 'target')} conformant, ${of}${told.join('')}`
  return { exitCode, line }
}

function summary(board: Board, reports: number) {
  const { targets, notices, isStale, staleOn, reference, chosen } = board
  return present([
    `${counted(reports, 'report')} of ${counted(targets.length, 'target')}, measured by ${reference.name}, ${chosen}`,
    targets.map(
      ({ name, newest: { divergence, decided, report } }) =>
        `  ${name}: ${toldRun(report)}, divergence ${divergence.diverging} of ${divergence.compared}, ${decided} decided`,
    ),
    isStale && `  notice: the reference is stale since ${staleOn}; run the suite on it again`,
    notices.map((notice) => `  notice: ${notice}`),
  ])
}

// Remove these first: pages of old targets must not stay, nor what older suites wrote.
const parts = ['targets', 'clauses', 'badges']

/** A folder that holds anything but an earlier site is not touched. */
function write(board: Board, dir: string, given: string): number {
  const has = (file: string) => existsSync(join(dir, file))
  const replace = () => {
    if (has('index.html') && !has('board.json'))
      throw new Impossible(`--out ${given} contains another site; give an empty folder.`)
    if (has('board.json'))
      for (const part of parts) rmSync(join(dir, part), { recursive: true, force: true })
    const site = siteOf(board)
    mkdirSync(join(dir, 'targets'), { recursive: true })
    for (const [file, text] of site) writeWhole(join(dir, file), text())
    return site.length
  }
  return orImpossible(
    replace,
    (reason) => `--out ${given} cannot be written (${reason}); give a writable folder.`,
  )
}

// Files that a run writes beside report.json, and files of other tools.
const others =
  /^(badge|code-quality|comparison|ctrf|last|like|report\.statement|world|package|package-lock|tsconfig|waivers)\.json$/

/** Reads all reports below these folders, without their exchanges. Every other file gets a sentence. */
function findReports(dirs: readonly string[], facts: readonly Facts[]) {
  const ids = new Set(facts.map(({ id }) => id))
  const found: FoundReport[] = []
  const passedOver: string[] = []
  for (const file of dirs.flatMap(filesIn)) {
    try {
      const report = readReport(file)
      if (report.clauses.some(({ id }) => ids.has(id)))
        found.push({ file, report: withoutExchanges(report) })
      else passedOver.push(`${file} is a report of another suite: it has no clause of this suite.`)
    } catch (error) {
      if (!(error instanceof Impossible)) throw error
      passedOver.push(error.message)
    }
  }
  return { found, passedOver }
}

/** A board shows verdicts: with many reports, exchanges would take too much memory. */
const withoutExchanges = (report: Report): Report => ({
  ...report,
  exchanges: [],
  clauses: report.clauses.map((clause) => ({ ...clause, evidence: [] })),
})

function filesIn(path: string): string[] {
  const entries = orImpossible(
    () => (statSync(path).isDirectory() ? readdirSync(path, { withFileTypes: true }) : undefined),
    (reason) => `${path} cannot be read: ${reason}; give a folder of reports.`,
  )
  if (!entries) return [path]
  // A board consists of reports and holds none.
  if (entries.some(({ name }) => name === 'board.json')) return []
  const isWanted = (entry: Dirent) =>
    entry.isDirectory()
      ? entry.name !== 'node_modules' && !entry.name.startsWith('.')
      : entry.name.endsWith('.json') && !others.test(entry.name)
  return entries
    .filter(isWanted)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = join(path, entry.name)
      return entry.isDirectory() ? filesIn(file) : [file]
    })
}

/**
 * The folder that names the target: between DIR and the report, or DIR itself. Folders named after a time
 * are skipped.
 */
export function folderOf(file: string, dirs: readonly string[]): string {
  const dir = dirs.find((each) => file.startsWith(each + sep)) ?? dirname(file)
  const [first, ...rest] = relative(dir, file).split(sep)
  return first !== undefined && rest.length > 0 ? first : basename(dir)
}
