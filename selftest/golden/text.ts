// The matrix as a text that a person reviews. Each clause has its usual verdict as a heading, and below it a line for each
// fault and variant on which its verdict differs: a changed verdict is a changed line.
//
//   task.read.identity · pass
//     fault the id of another task is read · fail
//
import { grouped } from '../../engine/grouped.ts'

/** The result of each run: by target and clause, the verdict and a digest of the observed value. */
export type Matrix = ReadonlyMap<string, string>

/** A clause: its usual verdict, and by target those that differ. */
type GoldenClause = { usual: string; exceptions: Map<string, string> }

/** By id; the end of a run has an entry of its own. */
export type GoldenText = Map<string, GoldenClause>

type Verdict = { target: string; clause: string; verdict: string }

const separator = ' · '
const indent = '  '

export const keyOf = (target: string, clause: string): string => `${target}\t${clause}`

export function verdictsIn(matrix: Matrix): Verdict[] {
  return [...matrix].map(([key, verdict]) => {
    const [target = '', clause = ''] = key.split('\t')
    return { target, clause, verdict }
  })
}

/** Which names still exist; default: all. */
type Known = { isTarget?(name: string): boolean; isClause?(id: string): boolean }

/**
 * The text of a matrix. A text of before keeps what is usual, and what it says of targets that the matrix does not
 * hold; rows of names that no longer exist are dropped.
 */
export function goldenOf(
  matrix: Matrix,
  before: GoldenText = new Map(),
  { isTarget = () => true, isClause = () => true }: Known = {},
): GoldenText {
  const verdicts = verdictsIn(matrix)
  const targetsOfMatrix = new Set(verdicts.map(({ target }) => target))
  const isKept = (target: string) => isTarget(target) && !targetsOfMatrix.has(target)
  const golden: GoldenText = new Map()
  for (const [clause, { usual, exceptions }] of before) {
    if (!isClause(clause)) continue
    const keptExceptions = [...exceptions].filter(([target]) => isKept(target))
    golden.set(clause, { usual, exceptions: new Map(keptExceptions) })
  }
  for (const [clause, ofClause] of grouped(verdicts, (verdict) => verdict.clause)) {
    const entry = golden.get(clause) ?? { usual: mostFrequentIn(ofClause), exceptions: new Map() }
    for (const { target, verdict } of ofClause)
      if (verdict !== entry.usual) entry.exceptions.set(target, verdict)
    golden.set(clause, entry)
  }
  return golden
}

function mostFrequentIn(verdicts: readonly Verdict[]): string {
  const counts = [...grouped(verdicts, ({ verdict }) => verdict)]
  const [first] = counts.sort(
    ([verdict, all], [other, others]) => others.length - all.length || (verdict < other ? -1 : 1),
  )
  return first?.[0] ?? ''
}

/** The matrix of a text; `ran`: the clauses of each target, because a text leaves out what is usual. */
export function matrixOf(golden: GoldenText, ran: ReadonlyMap<string, readonly string[]>): Matrix {
  const matrix = new Map<string, string>()
  for (const [target, clauses] of ran)
    for (const clause of clauses) {
      const entry = golden.get(clause)
      const verdict = entry?.exceptions.get(target) ?? entry?.usual
      if (verdict !== undefined) matrix.set(keyOf(target, clause), verdict)
    }
  return matrix
}

export function write(golden: GoldenText): string {
  const lines: string[] = []
  for (const [clause, { usual, exceptions }] of [...golden].sort()) {
    lines.push(`${clause}${separator}${usual}`)
    for (const [target, verdict] of [...exceptions].sort())
      lines.push(`${indent}${target}${separator}${verdict}`)
  }
  return `${lines.join('\n')}\n`
}

export function read(text: string): GoldenText {
  const golden: GoldenText = new Map()
  let exceptions = new Map<string, string>()
  for (const line of text.split('\n')) {
    const end = line.lastIndexOf(separator)
    if (end < 0) continue
    const name = line.slice(0, end)
    const verdict = line.slice(end + separator.length)
    if (name.startsWith(indent)) {
      exceptions.set(name.slice(indent.length), verdict)
      continue
    }
    exceptions = new Map()
    golden.set(name, { usual: verdict, exceptions })
  }
  return golden
}
