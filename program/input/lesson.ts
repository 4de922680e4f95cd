import { resolve } from 'node:path'
import { Impossible } from '../../engine/impossible.ts'
import { notKnown } from '../../engine/observation.ts'
import { type Report, targetOf } from '../../engine/run/report.ts'
import type { Learned, Lesson } from '../../reference/learn/learn.ts'
import { differencesIn } from '../../reporting/comparison/compare.ts'
import { groupedBy, printable } from '../../reporting/parts/texts.ts'
import { readReport } from './read-report.ts'

type NamedLesson = Lesson & { target: string; startedAt: string; broken: readonly string[] }

/** Joins what several reports say of one service; in a contradiction the first wins. */
export function readLessons(paths: readonly string[], cwd: string): NamedLesson | undefined {
  const [first, ...others] = paths.map((path) => lessonOf(readReport(resolve(cwd, path)), path))
  return first && others.reduce(together, first)
}

function together(one: NamedLesson, other: NamedLesson): NamedLesson {
  const observed = { ...other.observed, ...one.observed }
  const differing = Object.keys(other.observed).filter(
    (id) => differencesIn(one.observed[id] ?? notKnown, other.observed[id]).length > 0,
  )
  const unseen = Object.entries({ ...other.unseen, ...one.unseen })
  const both = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])]
  return {
    ...one,
    observed,
    unseen: Object.fromEntries(unseen.filter(([id]) => !(id in observed))),
    contradictory: both(one.contradictory, [...other.contradictory, ...differing]),
    broken: both(one.broken, other.broken),
  }
}

export function lessonOf(report: Report, path: string): NamedLesson {
  const { clauses, startedAt } = report
  const observing = clauses.filter(({ level }) => level === 'observe')
  const seen = observing.filter(({ verdict }) => verdict === 'observed')
  if (seen.length === 0)
    throw new Impossible(
      `--like ${path}: nothing was observed there; give the report of a run that observed something.`,
    )
  const unseen = observing.filter(({ verdict }) => verdict !== 'observed')
  const broken = clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  return {
    target: targetOf(report),
    startedAt,
    observed: Object.fromEntries(seen.map(({ id, observed }) => [id, observed])),
    unseen: Object.fromEntries(
      unseen.map(({ id, verdict, reason = '' }) => [id, `${verdict}: ${reason.split('\n')[0]}`]),
    ),
    contradictory: [],
    broken: broken.map(({ id }) => id),
  }
}

export function describeLearned(imitated: Learned, lesson: NamedLesson): string {
  const { learned, missing, unclear, assumed } = imitated
  const { target, startedAt, broken } = lesson
  const count = learned.length + missing.length + unclear.length
  const lines = [
    `like ${target} on ${startedAt.slice(0, 10)}: ${learned.length} of ${count} observations are imitated`,
    ...section('not in the report; this service responds as it does by itself', byReason(missing)),
    ...section('not imitated, or in part', byReason(unclear)),
    ...section('assumed', assumed),
    ...section(
      'broken by that service; this one responds as the contract says, unless an imitated observation breaks it too',
      broken.length > 0 ? [broken.join(', ')] : [],
    ),
  ]
  return lines.map((line) => `# ${printable(line)}\n`).join('')
}

const section = (title: string, items: readonly string[]) =>
  items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${item}`)]

const byReason = (clauses: Learned['missing']) =>
  [...groupedBy(clauses, ([, why]) => why)].map(
    ([why, group]) => `${group.map(([id]) => id).join(', ')} (${why})`,
  )
