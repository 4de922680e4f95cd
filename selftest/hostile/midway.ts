import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { lendBehind, type Spoil } from './in-front.ts'
import { visit } from './visit.ts'

export const reads = [
  '--clauses',
  'task.read.*,assessment.read.success,auth.missing-key.task.read,export.csv.status',
]
export const quick = { SETTLE_MS: '50', TIMEOUT_MS: '1000', DOWNLOAD_TIMEOUT_S: '1' }

/** How many requests the first contact sends. */
export const begun = 30

/** What a proxy does with every request once the clauses have begun. */
export const afterwards =
  (act: (outgoing: ServerResponse, incoming: IncomingMessage) => unknown): Spoil =>
  (incoming, outgoing, count) => {
    if (count <= begun) return false
    act(outgoing, incoming)
    return true
  }

export const answering = (status: number, headers: Record<string, string> = {}, body = '') =>
  afterwards((outgoing) => outgoing.writeHead(status, headers).end(body))

/** Runs the program against it; afterwards every task is as it was. */
export async function meet(spoil: Spoil, argv: string[], env: Record<string, string> = {}) {
  const lent = await lendBehind(spoil)
  const visited = await visit({ ...lent.env, ...quick, ...env }, argv)
  expect(await lent.changed(), visited.output).toEqual([])
  return visited
}
