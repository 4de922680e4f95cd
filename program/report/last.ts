import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectory, writeWhole } from '../../engine/journal/disk.ts'
import { parsed } from '../../engine/parsed.ts'
import { type ClauseReport, type Report, targetOf, toldVerdict } from '../../engine/run/report.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { statementName } from '../../reporting/seal.ts'
import { orImpossible } from '../input/read-json.ts'
import { makers } from '../run/contract.ts'

/** Where the last report is kept while this one is written; CI may restore it there. */
export const lastName = 'last.json'

export function withLast(report: Report, dir: string): Report {
  const last = lastOf(report, dir)
  if (!last) return report
  const before = new Map(last.clauses.map((clause) => [clause.id, clause]))
  const known = report.clauses.filter(({ id }) => before.has(id))
  const was = ({ id }: ClauseReport) => before.get(id) as ClauseReport
  const broken = known.filter(isBroken)
  const still = known.filter((each) => isBroken(each) && isBroken(was(each)))
  const fixed = known.filter((each) => each.verdict === 'pass' && isBroken(was(each)))
  const { revision } = report.target
  const isSame = revision !== undefined && revision === last.target.revision
  const flipped = known.filter((each) => isBroken(each) && was(each).verdict === 'pass')
  return {
    ...report,
    last: {
      startedAt: last.startedAt,
      new: idsOf(broken.filter((each) => !still.includes(each))),
      since: Object.fromEntries(
        still.map(({ id }) => [id, last.last?.since[id] ?? last.startedAt]),
      ),
      fixed: idsOf(fixed),
      flipped: isSame ? idsOf([...flipped, ...fixed]) : [],
    },
  }
}

const isBroken = (clause: ClauseReport) => ['fail', 'warn'].includes(toldVerdict(clause))

const idsOf = (clauses: readonly ClauseReport[]) => clauses.map(({ id }) => id)

function lastOf(report: Report, dir: string): Report | undefined {
  const all = ['report.json', lastName].flatMap((name) => reportAt(join(dir, name)) ?? [])
  const before = all.filter(
    (each) => targetOf(each) === targetOf(report) && each.startedAt < report.startedAt,
  )
  const holdsAll = ({ clauses }: Report) => {
    const ids = new Set(idsOf(clauses))
    return report.clauses.every(({ id }) => ids.has(id))
  }
  return before.find(holdsAll) ?? before[0]
}

/** undefined if it cannot be read */
export function reportAt(file: string): Report | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const found = parsed(text) as Partial<Report> | undefined
  return found?.reportVersion === 2 && found.target && found.startedAt && found.clauses
    ? (found as Report)
    : undefined
}

const ours = [...Object.keys(makers), statementName]

export const prepareReportsDir = (dir: string): void =>
  orImpossible(
    () => tryOut(dir),
    (reason) => `REPORTS_DIR ${dir} cannot be written to (${reason}); give a writable directory.`,
  )

function tryOut(dir: string): void {
  makeDirectory(dir)
  if (!statSync(dir).isDirectory()) throw new Error('it is a file')
  accessSync(dir, constants.W_OK)
  const probe = join(dir, '.probe')
  // As large as a report: on a full disk an empty file still fits.
  writeWhole(probe, ' '.repeat(1 << 20))
  rmSync(probe)
  rmSync(join(dir, 'files'), { recursive: true, force: true })
  for (const file of ours) rmSync(join(dir, `${file}.draft`), { force: true })
}

/** Removes the files of an earlier run, so that they are not mistaken for this one's; its report is kept apart. */
export function removeEarlier(dir: string): void {
  const report = join(dir, 'report.json')
  const last = join(dir, lastName)
  // A run of a part does not replace what is known of the whole.
  const isKept = !existsSync(last) || reportAt(report)?.selection === undefined
  if (existsSync(report) && isKept) renameSync(report, last)
  const scripts = join(dir, 'repeat')
  for (const name of existsSync(scripts) ? readdirSync(scripts) : [])
    if (name.endsWith('.sh')) rmSync(join(scripts, name))
  for (const file of ours) rmSync(join(dir, file), { force: true })
}

export function prepareReports(dir: string, bodies: Settings['bodies']): { keepFiles?: string } {
  prepareReportsDir(dir)
  if (bodies !== 'all') return {}
  const files = join(dir, 'files')
  mkdirSync(files, { mode: 0o700 })
  return { keepFiles: files }
}
