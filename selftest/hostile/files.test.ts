import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { lendBehind } from './in-front.ts'
import { failedIn, verdictsOf, visit } from './visit.ts'

const files = ['--clauses', 'export.csv.*,export.pdf.readable,export.pdf.text,export.no-filter']
const limits = { MAX_EXPORT_MB: '2', TIMEOUT_MS: '3000' }

/** Writes for as long as it is read. */
function flood(answer: ServerResponse, piece: Buffer) {
  const more = () => {
    while (!answer.destroyed && answer.write(piece));
    if (!answer.destroyed) answer.once('drain', more)
  }
  more()
}

const rows = Buffer.from('a,b,c\n1,2,3\n'.repeat(5000))
const bomb = gzipSync(Buffer.alloc(64 << 20, '1,2,3\n'))

describe.concurrent('exports that', () => {
  test.for<[string, (answer: ServerResponse, type: string) => void]>([
    [
      'never end',
      (answer, type) => {
        answer.writeHead(200, { 'content-type': type })
        flood(
          answer,
          type.endsWith('pdf') ? Buffer.concat([Buffer.from('%PDF-1.7\n'), rows]) : rows,
        )
      },
    ],
    [
      'inflate',
      (answer, type) =>
        answer.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(bomb),
    ],
    [
      'trickle',
      (answer, type) => {
        answer.writeHead(200, { 'content-type': type }).write('a,b\n')
        const timer = setInterval(() => answer.write('1'), 200)
        answer.on('close', () => clearInterval(timer))
      },
    ],
  ])('%s are read no further than they may be', async ([, send]) => {
    const lent = await lendBehind(({ url = '' }, answer) => {
      if (!url.includes('/export')) return false
      send(answer, url.includes('file_type=pdf') ? 'application/pdf' : 'text/csv')
      return true
    })
    const visited = await visit({ ...lent.env, ...limits, RUN_TIMEOUT_S: '12' }, files)
    expect(failedIn(visited), visited.output).toEqual([])
    expect(visited.code, visited.output).toBe(3)
    expect(verdictsOf(visited)['export.pdf.readable']).toBe('inconclusive')
  })
})
