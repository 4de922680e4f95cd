import { expect, test } from 'vitest'
import { type Findings, sharedAmong } from '../../../../engine/clause/shared.ts'
import type { Recorder } from '../../../../engine/http/client.ts'
import { createExports, type Fetching } from '../../../../helpers/export/ask/exports.ts'
import { createService, type Service } from '../../../../helpers/service/service.ts'
import { clientFor, httpServer } from '../../../engine/http/servers.ts'

const query = { start: '2026-01-01T00:00:00.000Z', end: '2026-01-02T00:00:00.000Z' }
const titles = 'id,time,comment\n'
const row = 'a,2026-01-01T10:00:00Z,x\n'

/** The exports of clauses of one run, and the number of requests. */
async function exportsOf(rows: number, statuses: number[] = []) {
  let asked = 0
  const url = await httpServer((_, response) => {
    const status = statuses[asked] ?? 200
    asked += 1
    response.writeHead(status, { 'content-type': 'text/csv' })
    response.end(status === 200 ? titles + row.repeat(rows) : '')
  })
  const { client } = clientFor(url)
  const findings: Findings = new Map()
  const serviceFor = (record: Recorder) => createService(client, record)
  const clauseWith = (record: Recorder) => {
    const service = serviceFor(record)
    const shared = sharedAmong<Service>(findings, serviceFor, record)
    return createExports(service, shared, 'repeat')
  }
  return { clauseWith, asked: () => asked }
}

const [few, many, some] = [{ read: 20 }, { read: 300 }, { keep: 1 }]

// biome-ignore format: one sequence a line
test.each<[string, number, number, (Fetching | undefined)[]]>([
  ['a complete reading serves requests for more', 1, 5, [many, undefined]],
  ['a complete reading serves requests for less', 1, 5, [undefined, few, { read: 400, keep: 1 }]],
  ['a reading that was cut is repeated', 2, 30, [few, undefined]],
  ['a reading that was kept in part is repeated', 2, 30, [some, undefined]],
  ['a reading that is too long is repeated', 2, 30, [undefined, few]],
])('%s', async (_, requests, rows, wanted) => {
  const { clauseWith, asked } = await exportsOf(rows)
  for (const options of wanted) await clauseWith(() => {}).csv(query, options)
  expect(asked()).toBe(requests)
})

test('a shared reading comes with its evidence', async () => {
  const { clauseWith } = await exportsOf(5)
  await clauseWith(() => {}).csv(query, { read: 300 })
  const evidence: unknown[] = []
  const { csv } = await clauseWith((exchange) => evidence.push(exchange)).csv(query)
  expect(csv?.count).toBe(6)
  expect(evidence).toHaveLength(1)
})

test('a simultaneous request waits for the first', async () => {
  const { clauseWith, asked } = await exportsOf(5)
  const exports = clauseWith(() => {})
  await Promise.all([exports.csv(query), exports.csv(query, { read: 20 })])
  expect(asked()).toBe(1)
})

test('a refusal is not shared', async () => {
  const { clauseWith, asked } = await exportsOf(5, [400])
  const exports = clauseWith(() => {})
  expect((await exports.csv(query, { read: 20 })).csv).toBeUndefined()
  expect((await exports.csv(query)).csv?.count).toBe(6)
  // The control of the refusal is a range that is certainly accepted.
  expect(asked()).toBe(3)
})

test('a file whose first answer broke off has its header row once', async () => {
  let asked = 0
  const url = await httpServer((_, response) => {
    asked += 1
    response.writeHead(200, { 'content-type': 'text/csv' })
    if (asked === 1)
      response.write(titles + row.repeat(200_000), () => setTimeout(() => response.destroy(), 20))
    else response.end(titles + row)
  })
  const met: string[] = []
  const { client } = clientFor(url)
  const serviceFor = (record: Recorder) =>
    createService(client, record, { met: ({ owner }) => void met.push(owner) })
  const shared = sharedAmong<Service>(new Map(), serviceFor, () => {})
  const { csv } = await createExports(
    serviceFor(() => {}),
    shared,
    'repeat',
  ).fresh.csv(query)
  expect([asked, csv?.count, met]).toEqual([2, 2, []])
})
