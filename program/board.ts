import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { counted } from '../engine/counted.ts'
import { Impossible } from '../engine/impossible.ts'
import { writeWhole } from '../engine/journal/disk.ts'
import { exitCodeOf } from '../engine/run/exit-code.ts'
import { targetOf } from '../engine/run/report.ts'
import { clock } from '../engine/time/timers.ts'
import {
  type Board,
  boardOf,
  type FoundReport,
  isWhole,
  toldRun,
} from '../reporting/board/board.ts'
import { siteOf } from '../reporting/board/site.ts'
import type { Facts } from '../reporting/comparison/compare.ts'
import { present } from '../reporting/parts/present.ts'
import { printable } from '../reporting/parts/printable.ts'
import { summaryOf } from '../reporting/parts/summary.ts'
import { factsOfSuite } from './clauses.ts'
import { findReports, folderOf } from './input/found-reports.ts'
import { orImpossible } from './input/or-impossible.ts'
import { type Call, readFlags } from './input/read-flags.ts'

export type MakeBoard = Call & {
  /** what the suite holds; coverage is a part of it */
  manifest?: Facts[]
  now?: number
}

export async function makeBoard(call: MakeBoard): Promise<number> {
  const { cwd, out, manifest: facts = factsOfSuite(), now = clock.date() } = call
  const flags = readFlags('board', call)
  const dirs = flags.words.map((dir) => resolve(cwd, dir))
  const { found, passedOver } = reportsOfSuite(findReports(dirs), facts)
  if (found.length === 0) {
    const none = `${flags.words.join(', ')}: no report was found; give folders that hold report.json.`
    throw new Impossible([none, ...passedOver].join('\n'))
  }
  const nameOf =
    flags.by === 'folder'
      ? ({ file }: FoundReport) => folderOf(file, dirs)
      : ({ report }: FoundReport) => targetOf(report)
  const { staleDays: staleAfterDays, out: site = 'board' } = flags
  const board = boardOf(found, {
    manifest: facts,
    nameOf,
    ...referenceOf(found, nameOf, flags),
    staleAfterDays,
    now,
  })
  const told = { ...board, notices: [...board.notices, ...passedOver] }
  const files = write(told, resolve(cwd, site), site)
  const lines = [...summary(told, found.length), `  ${files} files: ${join(site, 'index.html')}`]
  const { exitCode, line } = gateOf(board)
  out.write(`${[...lines, ...(flags.gate ? [line] : [])].map(printable).join('\n')}\n`)
  return flags.gate ? exitCode : 0
}

/** One answer for all targets: the worst of their newest runs, which must be whole and of one revision. */
function gateOf({ targets }: Board): { exitCode: number; line: string } {
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
  return {
    exitCode,
    line: `GATE ${word}: ${all.length - open.length} of ${counted(all.length, 'target')} conformant, ${of}${told.join('')}`,
  }
}

type Reports = ReturnType<typeof findReports>

/** A report without any clause of this suite has nothing to compare. */
function reportsOfSuite({ found, passedOver }: Reports, facts: readonly Facts[]): Reports {
  const ids = new Set(facts.map(({ id }) => id))
  const isOurs = ({ report }: FoundReport) => report.clauses.some(({ id }) => ids.has(id))
  const foreign = found
    .filter((each) => !isOurs(each))
    .map(({ file }) => `${file} is a report of another suite: it has no clause of this suite.`)
  return { found: found.filter(isOurs), passedOver: [...passedOver, ...foreign] }
}

function referenceOf(
  found: readonly FoundReport[],
  nameOf: (found: FoundReport) => string,
  { reference: given, gate }: { reference?: string; gate: boolean },
): { reference: string; chosen: string } {
  const newest = new Map(
    found
      .toSorted((a, b) => (a.report.startedAt < b.report.startedAt ? -1 : 1))
      .toSorted((a, b) => Number(isWhole(a.report)) - Number(isWhole(b.report)))
      .map((each) => [nameOf(each), each.report]),
  )
  const names = [...newest.keys()]
  const conformant = [...newest]
    .filter(([, report]) => report.verdict === 'conformant' && isWhole(report))
    .toSorted(([, a], [, b]) => (a.startedAt < b.startedAt ? 1 : -1))[0]?.[0]
  const choices: [name: string | undefined, chosen: string][] = [
    [given, 'which --reference names'],
    [names.length === 1 ? names[0] : undefined, 'the only target'],
    [conformant, 'the newest conformant target'],
    // A gate answers for all reports; what they are compared with does not matter.
    [gate ? names[0] : undefined, 'the first target; none is conformant'],
  ]
  const [reference, chosen = ''] = choices.find(([name]) => name !== undefined) ?? []
  if (reference === undefined)
    throw new Impossible(
      `no target is conformant in its newest report; choose one with --reference: ${names.join(', ')}.`,
    )
  if (!newest.has(reference))
    throw new Impossible(
      `--reference ${reference}: no report tests this target; give one of ${names.join(', ')}.`,
    )
  return { reference, chosen }
}

function summary(
  { targets, notices, isStale, staleOn, reference, chosen }: Board,
  reports: number,
) {
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

// Remove these first: pages of old targets and clauses must not stay.
const parts = ['targets', 'clauses', 'badges']

/** Replaces an earlier site. A folder that holds anything else is not touched. */
function write(board: Board, dir: string, given: string): number {
  const has = (file: string) => existsSync(join(dir, file))
  const replace = () => {
    if (has('index.html') && !has('board.json'))
      throw new Impossible(`--out ${given} contains another site; give an empty folder.`)
    if (has('board.json'))
      for (const part of parts) rmSync(join(dir, part), { recursive: true, force: true })
    const site = siteOf(board)
    for (const part of ['.', ...parts]) mkdirSync(join(dir, part), { recursive: true })
    for (const [file, text] of site) writeWhole(join(dir, file), text())
    return site.length
  }
  return orImpossible(
    replace,
    (reason) => `--out ${given} cannot be written (${reason}); give a writable folder.`,
  )
}
