import { type Dirent, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import type { FoundReport } from '../../reporting/board/board.ts'
import { orImpossible } from './or-impossible.ts'
import { readReport } from './read-report.ts'

// Files that a run writes beside report.json, and files of other tools.
const others =
  /^(badge|code-quality|comparison|ctrf|last|like|report\.statement|world|package|package-lock|tsconfig|waivers)\.json$/

/** Reads all reports below these folders, without their exchanges. Every other file gets a sentence. */
export function findReports(dirs: readonly string[]) {
  const found: FoundReport[] = []
  const passedOver: string[] = []
  for (const file of dirs.flatMap(filesIn)) {
    try {
      found.push({ file, report: withoutExchanges(readReport(file)) })
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

/** The file itself, or the JSON files of a folder and of its subfolders. */
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
