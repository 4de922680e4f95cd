import { describe, expect, test } from 'vitest'
import { httpServer } from '../engine/http/servers.ts'
import { anId, lendBehind, visit } from './visit.ts'

const reads = ['--clauses', 'task.read.success,assessment.read.*']

/** Another origin, which records all its requests. */
async function elsewhere() {
  const heard: string[] = []
  const origin = await httpServer(({ method, url }, answer) => {
    heard.push(`${method} ${url}`)
    answer.end()
  })
  return { origin, heard }
}

describe.concurrent('the key goes to the service alone:', () => {
  test('everything is redirected to another origin', async () => {
    const { origin, heard } = await elsewhere()
    const url = await httpServer((_, answer) =>
      answer.writeHead(308, { location: `${origin}/v5` }).end(),
    )
    const { code, output } = await visit({ BASE_URL: `${url}/v5`, TASK_IDS: anId })
    expect(output).toContain(`redirects to ${origin}/v5: give the address of the service itself.`)
    expect(code).toBe(2)
    expect(heard).toEqual([])
  })

  test('some is redirected to another origin', async () => {
    const { origin, heard } = await elsewhere()
    const lent = await lendBehind(({ url = '' }, answer) => {
      if (!url.includes('/assessments/')) return false
      answer.writeHead(307, { location: `${origin}${url}`, refresh: `0; url=${origin}` }).end()
      return true
    })
    const { code, output } = await visit(lent.env, reads)
    expect(code, output).toBe(1)
    expect(output).toContain('responded 307, not 2xx')
    expect(heard).toEqual([])
  })
})
