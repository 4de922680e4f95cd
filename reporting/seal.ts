// Digests of the parts of a report, by which a change in one of them is found. They are not signed: who
// changes a report and its digests together is found by the signature of its statement alone.

import { createHash } from 'node:crypto'
import { isObject } from '../engine/http/answers.ts'
import { describeSuite, type Report } from '../engine/run/report.ts'
import { summaryOf } from './parts/summary.ts'

/** The digests of each exchange and clause, and of the rest, each with the run that it is of. */
export type Seal = {
  exchanges: Record<string, string>
  clauses: Record<string, string>
  rest: string
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')

export function sealOf(written: object): Seal {
  const { run, exchanges, clauses, seal: _, ...rest } = written as Record<string, unknown>
  const of = (value: unknown) => digestOf([run, value]).slice(0, 24)
  const named = (list: unknown, name: string) =>
    Object.fromEntries(
      (Array.isArray(list) ? list : [])
        .filter(isObject)
        .map((each) => [String(each[name]), of(each)]),
    )
  return { exchanges: named(exchanges, 'number'), clauses: named(clauses, 'id'), rest: of(rest) }
}

/** What of a report is not as it was written: numbers of exchanges, ids of clauses, and the rest. */
export function brokenIn(written: object, seal: Seal) {
  const now = sealOf(written)
  const apart = (one: Record<string, string>, other: Record<string, string>) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (key) => one[key] !== other[key],
    )
  return {
    exchanges: apart(seal.exchanges, now.exchanges).map(Number),
    clauses: apart(seal.clauses, now.clauses),
    rest: seal.rest !== now.rest,
  }
}

// What a run says of a target, as an in-toto Statement: unsigned, to be signed with any tool.

export const statementName = 'report.statement.json'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

/** The statement on a report: its subjects are the target at its revision, and the files, by name. */
export function statementOf(
  report: Report,
  files: readonly { name: string; bytes: Buffer }[],
): string {
  const { target, run, clausesSha256, startedAt, verdict } = report
  const { baseUrl, revision } = target
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: baseUrl, digest: { sha256: sha256(`${baseUrl} ${revision ?? ''}`) } },
      ...files.map(({ name, bytes }) => ({ name, digest: { sha256: sha256(bytes) } })),
    ],
    predicateType: 'urn:task-assignment-contract:report:v1',
    predicate: {
      run,
      startedAt,
      target: { baseUrl, revision },
      suite: { version: describeSuite(report), clausesSha256 },
      verdict,
      line: summaryOf(report).line,
      musts: summaryOf(report).figures,
    },
  }
  return `${JSON.stringify(statement, null, 1)}\n`
}
