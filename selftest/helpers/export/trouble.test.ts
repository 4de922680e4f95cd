import { describe, expect, test } from 'vitest'
import { httpServer } from '../../engine/http/servers.ts'
import { answerOf, judged } from './judged.ts'

const isPdf = (query: URLSearchParams) => query.get('file_type') === 'pdf'
const isDatetime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/.test(text)
const isMalformed = (query: URLSearchParams) =>
  [...query].some(([name, value]) => name.startsWith('range_') && !isDatetime(value)) ||
  query.getAll('range_start').length > 1 ||
  [...query.values()].some((value) => value.includes('02-30T') || value.includes('T25:'))

describe.concurrent('nobody is blamed', () => {
  test('for a store that breaks down', async () => {
    const store = await httpServer((_, response) => response.writeHead(500).end())
    const inStore = () => Response.json({ download_url: `${store}/files/7` })
    const { verdicts, output } = await judged(
      (query) => (isPdf(query) ? undefined : inStore()),
      ['export.csv.status'],
    )
    const { 'export.csv.status': found } = verdicts
    expect(found?.verdict, output).toBe('inconclusive')
    expect(found?.reason).toMatch(/ a link in JSON names http\S+\/files\/7, which answered 500$/)
  })

  test('for a PDF that is too large to be read', async () => {
    const { verdicts, output } = await judged(
      (query) => (isPdf(query) ? answerOf(Buffer.alloc(65 * 1024 * 1024, '%PDF-1.7 ')) : undefined),
      ['export.pdf.readable'],
    )
    const { 'export.pdf.readable': found } = verdicts
    expect(found?.verdict, output).toBe('inconclusive')
    expect(found?.reason).toBe('the PDF is larger than 64 MB')
  })

  test('where no malformed bound reaches the service', async () => {
    const { verdicts, output } = await judged(
      (query) => (isMalformed(query) ? new Response('', { status: 503 }) : undefined),
      ['export.range.malformed'],
    )
    const { 'export.range.malformed': found } = verdicts
    expect(found?.verdict, output).toBe('inconclusive')
    expect(found?.reason).toBe('no request with a malformed bound was answered')
  })
})
