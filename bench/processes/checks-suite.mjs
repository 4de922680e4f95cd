import { afterAll, expect, test } from 'vitest'
import { provided } from '../../dist/engine/clause/provided.js'
import { problemsOf } from '../../dist/helpers/service/schema.js'
import { openServiceClient } from '../../dist/helpers/settings/client.js'

const { checks, settings } = provided('checked')
const client = openServiceClient(settings)
afterAll(() => client.close())

for (const [n, { path, kind }] of checks.entries())
  test(`check ${n}`, async () => {
    const { status, text } = await client.ask({ method: 'GET', path })
    expect(status).toBe(200)
    expect(problemsOf(kind, JSON.parse(text))).toEqual([])
  })
