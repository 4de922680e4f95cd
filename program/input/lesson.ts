import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject } from '../../engine/http/answers.ts'
import { notKnown } from '../../engine/observation.ts'
import type { Report } from '../../engine/run/report.ts'
import type { Lesson } from '../../reference/learn/learn.ts'
import { differencesIn } from '../../reporting/comparison/values.ts'
import { Impossible } from './mistakes.ts'
import { readReport } from './read-report.ts'

/** What was learned of a service, and where: kept beside a world, it takes the place of the report. */
export type KeptLesson = Lesson & {
  lessonVersion: 1
  /** the service, and when the run on it began */
  target: string
  startedAt: string
}

/** What several reports say of one service; where they contradict each other the first is right. */
export function readLessons(paths: readonly string[], cwd: string): KeptLesson | undefined {
  const [first, ...others] = paths.map((path) => readLesson(path, cwd))
  if (!first) return undefined
  return others.reduce(together, first)
}

function together(one: KeptLesson, other: KeptLesson): KeptLesson {
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
    refused: both(one.refused, other.refused),
    broken: both(one.broken, other.broken),
    warned: both(one.warned, other.warned),
  }
}

/** Reads a report, or what `serve --save` has kept of one. */
function readLesson(path: string, cwd: string): KeptLesson {
  const file = resolve(cwd, path)
  const kept = keptIn(file)
  if (!kept) return lessonOf(readReport(file), path)
  if (kept.lessonVersion === 1 && isLesson(kept)) return kept
  throw new Impossible(
    `--like ${path} is not complete, or of another version; give the report.json that it was learned from.`,
  )
}

/** A file that `serve --save` wrote; whatever else is there, the reader of reports judges. */
function keptIn(file: string): Record<string, unknown> | undefined {
  try {
    if (statSync(file).isDirectory()) return undefined
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(value) && 'lessonVersion' in value ? value : undefined
  } catch {
    return undefined
  }
}

const isLesson = (value: Record<string, unknown>): value is KeptLesson => {
  const { observed, unseen, contradictory, refused, broken, warned, target, startedAt } = value
  return (
    isObject(observed) &&
    isObject(unseen) &&
    [contradictory, refused, broken, warned].every((list) => Array.isArray(list)) &&
    typeof target === 'string' &&
    typeof startedAt === 'string'
  )
}

/** What a report says of a service; `path` is what the report is called. */
export function lessonOf(report: Report, path: string): KeptLesson {
  const { clauses, target, startedAt } = report
  const observing = clauses.filter(({ level }) => level === 'observe')
  const seen = observing.filter(({ verdict }) => verdict === 'observed')
  if (seen.length === 0)
    throw new Impossible(
      `--like ${path}: nothing was observed there; give the report of a run that observed something.`,
    )
  const unseen = observing.filter(({ verdict }) => verdict !== 'observed')
  const isBroken = ({ verdict }: Report['clauses'][number]) =>
    verdict === 'fail' || verdict === 'warn'
  const idsOf = (level: string) =>
    clauses.filter((clause) => clause.level === level && isBroken(clause)).map(({ id }) => id)
  return {
    lessonVersion: 1,
    target: target.embedded ? 'the embedded reference service' : target.baseUrl,
    startedAt,
    observed: Object.fromEntries(seen.map(({ id, observed }) => [id, observed])),
    unseen: Object.fromEntries(
      unseen.map(({ id, verdict, reason = '' }) => [id, `${verdict}: ${reason.split('\n')[0]}`]),
    ),
    contradictory: [],
    refused: clauses.flatMap(({ id, cause }) => (cause === 'refused' ? [id] : [])),
    broken: idsOf('must'),
    warned: idsOf('should'),
  }
}
