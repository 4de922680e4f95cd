import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Impossible } from '../engine/impossible.ts'
import { reasonOf, writeWhole } from '../engine/journal/disk.ts'
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
import { counted } from '../reporting/parts/count.ts'
import { printable } from '../reporting/parts/printable.ts'
import { factsOfSuite } from './clauses.ts'
import { findReports, folderOf } from './input/found-reports.ts'
import { type Call, readFlags } from './input/read-flags.ts'

export type MakeBoard = Call & {
  /** what the suite holds; coverage is a part of it */
  manifest?: () => Promise<Facts[]>
  now?: number
}

export async function makeBoard(call: MakeBoard): Promise<number> {
  const { cwd, out, manifest = factsOfSuite, now = clock.date() } = call
  const flags = readFlags('board', call)
  if (!flags) return 0
  const dirs = flags.words.map((dir) => resolve(cwd, dir))
  const facts = await manifest()
  const { found, passedOver } = reportsOfSuite(findReports(dirs), facts)
  if (found.length === 0)
    throw new Impossible(
      [
        `${flags.words.join(', ')}: no report was found; give folders that hold report.json.`,
        ...passedOver,
      ].join('\n'),
    )
  const nameOf =
    flags.by === 'folder'
      ? ({ file }: FoundReport) => folderOf(file, dirs)
      : ({ report }: FoundReport) => targetOf(report)
  const { staleDays: staleAfterDays, out: site = 'board' } = flags
  const board = boardOf(found, {
    manifest: facts,
    nameOf,
    ...referenceOf(found, nameOf, flags.reference),
    staleAfterDays,
    now,
  })
  const told = { ...board, notices: [...board.notices, ...passedOver] }
  const files = write(told, resolve(cwd, site), site)
  out.write(
    `${[...summary(told, found.length), `  ${files} files: ${join(site, 'index.html')}`].map(printable).join('\n')}\n`,
  )
  return 0
}

type Reports = ReturnType<typeof findReports>

/** A report without any clause of this suite has nothing to compare. */
function reportsOfSuite({ found, passedOver }: Reports, facts: readonly Facts[]): Reports {
  const ids = new Set(facts.map(({ id }) => id))
  const foreign = found.filter(({ report }) => !report.clauses.some(({ id }) => ids.has(id)))
  return {
    found: found.filter((each) => !foreign.includes(each)),
    passedOver: [
      ...passedOver,
      ...foreign.map(
        ({ file }) => `${file} is a report of another suite: it has no clause of this one.`,
      ),
    ],
  }
}

/** The target that others are compared with, and how it was chosen; it is never guessed. */
function referenceOf(
  found: readonly FoundReport[],
  nameOf: (found: FoundReport) => string,
  given: string | undefined,
): { reference: string; chosen: string } {
  const newest = new Map(
    found
      .toSorted((a, b) => (a.report.startedAt < b.report.startedAt ? -1 : 1))
      .toSorted((a, b) => Number(isWhole(a.report)) - Number(isWhole(b.report)))
      .map((each) => [nameOf(each), each.report]),
  )
  const names = [...newest.keys()]
  const reference =
    given ??
    (names.length === 1 ? names[0] : undefined) ??
    [...newest]
      .filter(([, report]) => report.verdict === 'conformant' && isWhole(report))
      .toSorted(([, a], [, b]) => (a.startedAt < b.startedAt ? 1 : -1))[0]?.[0]
  if (reference === undefined)
    throw new Impossible(
      `no target is conformant in its newest report; choose one with --reference: ${names.join(', ')}.`,
    )
  if (!newest.has(reference))
    throw new Impossible(
      `--reference ${reference}: no report tests this target; give one of ${names.join(', ')}.`,
    )
  if (given !== undefined) return { reference, chosen: 'which --reference names' }
  const only = names.length === 1
  return { reference, chosen: only ? 'the only target' : 'the newest conformant target' }
}

function summary(
  { targets, notices, isStale, staleOn, reference, chosen }: Board,
  reports: number,
) {
  return [
    `${counted(reports, 'report')} of ${counted(targets.length, 'target')}, measured by ${reference.name}, ${chosen}`,
    ...targets.map(
      ({ name, newest: { divergence, decided, report } }) =>
        `  ${name}: ${toldRun(report)}, divergence ${divergence.diverging} of ${divergence.compared}, ${decided} decided`,
    ),
    ...(isStale
      ? [`  notice: the reference is stale since ${staleOn}; run the suite on it again`]
      : []),
    ...notices.map((notice) => `  notice: ${notice}`),
  ]
}

// Remove these first: pages of old targets and clauses must not stay.
const parts = ['targets', 'clauses', 'badges']

/** Replaces an earlier site. A folder that holds anything else is not touched. */
function write(board: Board, dir: string, given: string): number {
  try {
    if (
      existsSync(dir) &&
      !existsSync(join(dir, 'board.json')) &&
      existsSync(join(dir, 'index.html'))
    )
      throw new Impossible(`--out ${given} holds another site; give an empty folder.`)
    if (existsSync(join(dir, 'board.json')))
      for (const part of parts) rmSync(join(dir, part), { recursive: true, force: true })
    const site = siteOf(board)
    for (const part of ['.', ...parts]) mkdirSync(join(dir, part), { recursive: true })
    for (const [file, text] of site) writeWhole(join(dir, file), text())
    return site.length
  } catch (error) {
    if (error instanceof Impossible) throw error
    throw new Impossible(
      `--out ${given} cannot be written (${reasonOf(error)}); give a writable folder.`,
    )
  }
}
