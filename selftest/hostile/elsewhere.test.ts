import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { afterAll, describe, expect, test } from 'vitest'
import { makeCertificates } from '../engine/http/certificates.ts'
import { httpServer, listening } from '../engine/http/servers.ts'
import { lendBehind } from './in-front.ts'
import { anId, visit } from './visit.ts'

const certificates = makeCertificates()
afterAll(certificates.remove)

const reads = ['--clauses', 'task.read.success,assessment.read.*']

/** Another origin, which hears of whatever is sent to it. */
async function elsewhere() {
  const heard: string[] = []
  const origin = await httpServer(({ method, url }, answer) => {
    heard.push(`${method} ${url}`)
    answer.end()
  })
  return { origin, heard }
}

describe.concurrent('the key goes to the service and to nobody else:', () => {
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
    expect(output).toContain('answered 307, not 2xx')
    expect(heard).toEqual([])
  })
})

describe.concurrent('a service whose', () => {
  test.skipIf(!certificates.made)('certificate is not trusted', async () => {
    const { file } = certificates
    const tls = {
      cert: readFileSync(file('service', 'pem')),
      key: readFileSync(file('service', 'key')),
    }
    const port = await listening(createServer(tls).on('tlsClientError', () => {}))
    const { code, output } = await visit({ BASE_URL: `https://127.0.0.1:${port}/v5` })
    expect(code, output).toBe(2)
    expect(output).toMatch(/not trusted \(self-signed\): CA_FILE may name its issuer\.$/m)
  })

  test('clock is a year ahead is not condemned for it', async () => {
    const ahead = 365 * 86_400_000
    const lent = await lendBehind(() => false, {
      clock: () => Date.now() + ahead,
      between: async (request, next) => {
        const answer = await next(request)
        const headers = new Headers(answer.headers)
        headers.set('date', new Date(Date.now() + ahead).toUTCString())
        return new Response(answer.body, { status: answer.status, headers })
      },
    })
    const argv = ['--clauses', 'task.read.*,assign.unassign*,assign.new-version,version.stale.*']
    const { code, output } = await visit({ ...lent.env, TIMEOUT_MS: '10000' }, argv)
    expect(code, output).toBe(0)
    expect(output).toContain("notice: the service's clock is 365 days ahead of ours: ")
    expect(await lent.changed(), output).toEqual([])
  })
})
