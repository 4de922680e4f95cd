import { describe, expect, test } from 'vitest'
import type { Spoil } from './in-front.ts'
import { afterwards, answering, meet, reads } from './midway.ts'
import { failedIn, verdictsOf } from './visit.ts'

describe.concurrent('an answer is judged as it is, also where it begins in the middle:', () => {
  test.for<[string, Spoil]>([
    ['401', answering(401)],
    ['404', answering(404)],
    ['500', answering(500)],
    ['a login page', answering(200, { 'content-type': 'text/html' }, '<!doctype html>')],
    [
      'JSON cut short by its Content-Length',
      afterwards((outgoing) => {
        outgoing.socket?.write(
          'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{"id":"123e4567-e89b-12d3"}',
        )
      }),
    ],
  ])('%s', async ([name, spoil]) => {
    const visited = await meet(spoil, reads, { TIMEOUT_MS: '5000' })
    expect(visited.code, visited.output).toBe(1)
    // The contract lists 500 for the export alone.
    if (name === '500')
      expect(verdictsOf(visited)['export.csv.status'], visited.output).toBe('inconclusive')
  })
})

describe.concurrent('RUN_TIMEOUT_S', () => {
  test.for<[string, Spoil]>([
    ['that asks for a pause again and again', answering(429)],
    ['that does not answer', afterwards(() => {})],
  ])('ends a run on a service %s', async ([, spoil]) => {
    const visited = await meet(spoil, [], { RUN_TIMEOUT_S: '4', TIMEOUT_MS: '60000' })
    expect(failedIn(visited), visited.output).toEqual([])
    expect(visited.code, visited.output).toBe(3)
    expect(visited.report.reasons).toContain('the run took longer than RUN_TIMEOUT_S=4')
    const ids = visited.report.clauses.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
  })

  test('ends the first contact too', async () => {
    const spoil: Spoil = (_, outgoing) => {
      outgoing.writeHead(200).write('{')
      return true
    }
    const visited = await meet(spoil, [], { RUN_TIMEOUT_S: '2', TIMEOUT_MS: '60000' })
    expect(visited.code, visited.output).toBe(3)
    expect(visited.report.clauses).toEqual([])
    expect(visited.report.reasons[0]).toBe('the run took longer than RUN_TIMEOUT_S=2')
  })
})
