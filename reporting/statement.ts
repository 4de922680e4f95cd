// What a run says of a target, as an in-toto Statement: unsigned, to be signed with any tool.

import { createHash } from 'node:crypto'
import { describeSuite, type Report } from '../engine/run/report.ts'
import { summaryOf } from './parts/summary.ts'

export const statementName = 'report.statement.json'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

/** The statement on a report: its subjects are the target at its revision, and the files, by name. */
export function statementOf(
  report: Report,
  files: readonly { name: string; bytes: Buffer }[],
): string {
  const { target, run, clausesSha256, startedAt, verdict, recorded } = report
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
      recorded,
      musts: summaryOf(report).figures,
    },
  }
  return `${JSON.stringify(statement, null, 1)}\n`
}
