import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { secretFinder } from '../../../engine/http/redaction.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { lendService, start } from '../../helpers/loans/lent-service.ts'
import { runProgram } from '../../proofs/prove.ts'

const argv = ['--clauses', 'auth.*.export,export.csv.*,export.filter.*,export.range.*,audit.*']

/** Runs the clauses of the export, and returns the exported rows that the report contains in part. */
async function rowsKept(bent: Partial<Stated>, events = 400) {
  const world = makeWorld(1, { events })
  const service = createService({ world, stated: { ...stated, ...bent } })
  const ids = new Set<string>()
  const fetch: typeof service.fetch = async (request, address) => {
    const answer = await service.fetch(request, address)
    if (answer.headers.get('content-type')?.includes('csv'))
      for (const [, id] of (await answer.clone().text()).matchAll(/^([\da-f-]{36}),/gm))
        ids.add(id as string)
    return answer
  }
  const env = { BODIES: 'all', SEED: '1', SETTLE_MS: '60', AUDIT_WAIT_S: '0' }
  const { report, output } = await runProgram(env, argv, { service: { ...service, fetch } })
  const text = JSON.stringify(report) + output
  return { seen: ids.size, kept: [...ids].filter((id) => text.includes(id)).length, report }
}

describe('exported rows are personal data: a report holds', () => {
  test('none of them if nothing is broken, also with BODIES=all', async () => {
    const { seen, kept, report } = await rowsKept({})
    expect(report?.verdict).toBe('conformant')
    expect(seen).toBeGreaterThan(100)
    expect(kept).toBe(0)
  })

  test('a few cells if filters lose events and wrong keys are accepted', async () => {
    const { seen, kept, report } = await rowsKept({
      keyIsValid: () => true,
      rows: ({ filters, events }) => (filters.length > 0 ? events.slice(1) : events),
    })
    expect(report?.verdict).toBe('nonconformant')
    expect(seen).toBeGreaterThan(100)
    expect(kept).toBeLessThan(20)
    expect(report?.counts.should.warn).toBeGreaterThan(3)
  })

  test('none if a few of them are given without a key', async () => {
    const anything = { keyIsValid: () => true, range: () => ({ start: undefined, end: undefined }) }
    const { seen, kept, report } = await rowsKept(anything, 5)
    expect(report?.verdict).toBe('nonconformant')
    expect(seen).toBeGreaterThan(4)
    expect(kept).toBe(0)
  })
})

test('the key stands in no command line and in no title of a process or thread', async () => {
  const shown: Buffer[] = []
  const lent = await lendService({
    between: async (request, next) => {
      const dir = `/proc/${run.child.pid}`
      for (const thread of readdirSync(`${dir}/task`))
        shown.push(readFileSync(`${dir}/task/${thread}/comm`))
      shown.push(readFileSync(`${dir}/cmdline`))
      return next(request)
    },
  })
  const run = start('directly', 'check', lent.env, ['--clauses', 'task.read.identity'])
  const { code, output } = await run.ended
  expect(code, output).toBe(0)
  expect(secretFinder(lent.env.API_KEY)(Buffer.concat(shown))).toBe(false)
  expect(Buffer.concat(shown).includes('task-assignment-contract')).toBe(true)
})
