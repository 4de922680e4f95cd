import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClauseFacts } from '../engine/clause/clause.ts'
import { collectClauses } from '../program/clauses.ts'

let all: Promise<ClauseFacts[]> | undefined

/** Every clause. Collecting takes some seconds: the first worker that is done leaves them to the others. */
export function allClauses(): Promise<ClauseFacts[]> {
  all ??= left()
  return all
}

async function left(): Promise<ClauseFacts[]> {
  const { WORKER_FOLDERS } = process.env
  if (WORKER_FOLDERS === undefined) return collectClauses()
  const file = join(WORKER_FOLDERS, 'clauses.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const clauses = await collectClauses()
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(clauses))
  renameSync(`${file}.${process.pid}`, file)
  return clauses
}
