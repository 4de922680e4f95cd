import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Impossible } from '../engine/impossible.ts'
import { reasonOf, writeWhole } from '../engine/journal/disk.ts'
import { type Board, boardOf, type Found } from '../reporting/board/board.ts'
import { siteOf } from '../reporting/board/site.ts'
import type { Facts } from '../reporting/comparison/compare.ts'
import { targetOf } from '../reporting/comparison/remarks.ts'
import { printable } from '../reporting/parts/printable.ts'
import { factsOfSuite } from './clauses.ts'
import { findReports, folderOf } from './input/found-reports.ts'
import { type Call, readFlags } from './input/read-flags.ts'

export type MakeBoard = Call & {
  /** what the suite holds, of which coverage is a part */
  manifest?: () => Promise<Facts[]>
  now?: number
}

/** Writes a site of many reports. */
export async function makeBoard(call: MakeBoard): Promise<number> {
  const { cwd, out, manifest = factsOfSuite, now = Date.now() } = call
  const flags = readFlags('board', call)
  if (!flags) return 0
  const dirs = flags.words.map((dir) => resolve(cwd, dir))
  const { found, passedOver } = findReports(dirs)
  if (found.length === 0)
    throw new Impossible(
      [
        `${flags.words.join(', ')}: no report is there; give folders of report.json.`,
        ...passedOver,
      ].join('\n'),
    )
  const nameOf =
    flags.by === 'folder'
      ? ({ file }: Found) => folderOf(file, dirs)
      : ({ report }: Found) => targetOf(report)
  const names = new Set(found.map(nameOf))
  if (flags.reference !== undefined && !names.has(flags.reference))
    throw new Impossible(
      `--reference ${flags.reference}: no report is of it; give one of ${[...names].join(', ')}.`,
    )
  const { reference, staleDays: staleAfterDays, out: site = 'board' } = flags
  const board = boardOf(found, {
    manifest: await manifest(),
    nameOf,
    reference,
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

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

function summary({ targets, notices, isStale, staleOn, reference }: Board, reports: number) {
  return [
    `${counted(reports, 'report')} of ${counted(targets.length, 'target')}, measured by ${reference.name}`,
    ...targets.map(
      ({ name, newest: { divergence, decided, report } }) =>
        `  ${name}: ${report.verdict}, divergence ${divergence.diverging} of ${divergence.compared}, ${decided} decided`,
    ),
    ...(isStale
      ? [`  notice: the reference is stale since ${staleOn}; run the suite on it again`]
      : []),
    ...notices.map((notice) => `  notice: ${notice}`),
  ]
}

// What a board consists of: pages of targets and clauses that are gone must not stay.
const parts = ['targets', 'clauses', 'badges']

/** Writes the site in place of an earlier one; a folder that holds anything else is left alone. */
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
      `--out ${given} cannot be written (${reasonOf(error)}); give a folder that can.`,
    )
  }
}
