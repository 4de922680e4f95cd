import { describe, expect, test } from 'vitest'
import { bomb, madePdf, pageOf, rawPdf } from '../../engine/files/raw-pdf.ts'
import { httpServer } from '../../engine/http/servers.ts'
import { runProgram } from '../../proofs/prove.ts'
import { answerOf, judged } from './judged.ts'

const isPdf = (query: URLSearchParams) => query.get('file_type') === 'pdf'
const isWindow = (query: URLSearchParams) => query.get('range_start') === '2025-09-01T00:00:00.000Z'
const rows = (count: number, row = '1,2,3\n') => `a,b,c\n${row.repeat(count)}`

describe.concurrent('in place of a CSV', () => {
  test.each([
    [
      'JSON with an error',
      '{"message":"try later"}',
      'fail',
      'byte 0 begins JSON, not delimited text',
    ],
    [
      'a page',
      '<html><body>Log in</body></html>',
      'fail',
      'byte 0 begins HTML, not delimited text',
    ],
    ['an archive', 'PK\u0003\u0004....', 'fail', 'byte 0 begins an archive, not delimited text'],
    ['one endless line', 'x'.repeat(9_000_000), 'inconclusive', 'a line is longer than 8 MB'],
    ['200,000 columns', `${'a,'.repeat(200_000)}\n`, 'inconclusive', 'record 1 has 200001 cells'],
    [
      'a quote that is left open',
      `a,b\n1,"2\n${'3,4\n'.repeat(2_500_000)}`,
      'inconclusive',
      /record 2, at byte \d+: a record does not end within 8 MB/,
    ],
  ])('%s', async (_, content, verdict, sentence) => {
    const { verdicts, output } = await judged(
      (query) => (isPdf(query) ? undefined : answerOf(content)),
      ['export.csv.readable'],
    )
    const { 'export.csv.readable': found } = verdicts
    expect(found?.verdict, output).toBe(verdict)
    expect(found?.reason).toMatch(sentence)
  })

  test.each([
    [
      'ragged rows',
      `${rows(4)}5,6\n${rows(4, '7,8,9\n').slice(6)}`,
      'record 6 has 2 cells, the first row 3',
    ],
    [
      'an open quote',
      `${rows(4)}5,"6\n7,8,9\n`,
      /record 6 is not valid CSV: quoted field unterminated/,
    ],
    ['NUL', `${rows(4)}5,\0,6\n`, 'byte 32 is NUL'],
  ])('one with %s', async (_, content, sentence) => {
    const { verdicts, output } = await judged(
      (query) => (isPdf(query) ? undefined : answerOf(isWindow(query) ? content : 'a,b,c\n')),
      ['export.csv.*'],
    )
    expect(verdicts['export.csv.well-formed']?.verdict, output).toBe('warn')
    expect(verdicts['export.csv.well-formed']?.reason).toMatch(sentence)
    expect(verdicts['export.csv.readable']?.verdict, output).toBe('pass')
  })

  test('a body that is cut short', async () => {
    const BASE_URL = await httpServer((request, response) => {
      if (!request.url?.includes('/export')) return response.writeHead(404).end('{}')
      response.writeHead(200, { 'content-type': 'text/csv' }).write(rows(100))
      return setTimeout(() => response.destroy(), 20)
    })
    const argv = ['--clauses', 'export.csv.readable']
    const { report, output, exitCode } = await runProgram({ BASE_URL, API_KEY: 'key' }, argv)
    const [found] = report?.clauses ?? []
    expect(found?.verdict, output).toBe('inconclusive')
    expect(found?.reason).toMatch(/export\?\S+: the connection was (closed|reset) in the body/)
    expect(exitCode).toBe(3)
  })

  test('a file that is larger than MAX_EXPORT_MB', async () => {
    const { verdicts, output } = await judged(
      (query) => (isPdf(query) ? undefined : answerOf(rows(400_000))),
      ['export.csv.readable'],
      { MAX_EXPORT_MB: '1' },
    )
    expect(verdicts['export.csv.readable']?.verdict, output).toBe('inconclusive')
    expect(verdicts['export.csv.readable']?.reason).toContain('larger than 1 MB')
  })

  test('an endless file is read no further than needed', async () => {
    let sent = 0
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          sent += 1
          controller.enqueue(Buffer.from(rows(1000)))
        },
      })
    const { verdicts, output } = await judged(
      (query) => (query.size === 0 ? answerOf(endless()) : undefined),
      ['export.no-filter', 'export.csv-size-limit'],
    )
    expect(verdicts['export.no-filter']?.verdict, output).toBe('pass')
    expect(sent).toBeLessThan(2000)
  })
})

describe.concurrent('in place of a PDF', () => {
  const pages = rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [2 0 R] /Count 1 >>',
  ])
  test.each([
    ['JSON with an error', '{"message":"try later"}', 'fail', 'begin with %PDF- but with "{'],
    ['a page', '<html><body>Log in</body></html>', 'fail', 'begin with %PDF- but with "<html>'],
    ['pages that refer to themselves', pages, 'fail', 'Pages tree contains circular reference'],
  ])('%s', async (_, content, verdict, sentence) => {
    const { verdicts, output } = await judged(
      (query) => (isPdf(query) ? answerOf(content as never) : undefined),
      ['export.pdf.*'],
    )
    expect(verdicts['export.pdf.readable']?.verdict, output).toBe(verdict)
    expect(verdicts['export.pdf.readable']?.reason).toContain(sentence)
    expect(verdicts['export.pdf.text']?.verdict).toBe('skip')
  })

  test('a file that wants a password', async () => {
    const locked = await madePdf(['one'], { userPassword: 'secret' })
    const { verdicts, output } = await judged(
      (query) => (isPdf(query) ? answerOf(locked) : undefined),
      ['export.pdf.*'],
    )
    expect(verdicts['export.pdf.readable'], output).toMatchObject({
      verdict: 'skip',
      reason: 'the PDF opens only with a password; whether it has one is not shown',
    })
  })

  test('one without text', async () => {
    const drawn = pageOf('0 0 100 100 re f')
    const { verdicts, output } = await judged(
      (query) => (isPdf(query) ? answerOf(drawn) : undefined),
      ['export.pdf.*', 'export.pdf-matches-csv'],
    )
    expect(verdicts['export.pdf.text']?.verdict, output).toBe('warn')
    expect(verdicts['export.pdf.readable']?.verdict, output).toBe('pass')
    expect(verdicts['export.pdf-matches-csv']?.verdict, output).toBe('skip')
  })
})

describe.concurrent('a service that gives no file', () => {
  test('to this key is not judged', async () => {
    const { verdicts, output } = await judged(
      () => new Response('{}', { status: 403 }),
      ['export.csv.*', 'export.pdf*', 'export.default-*', 'export.no-filter', 'export.invalid.*'],
    )
    const others = Object.values(verdicts).filter(({ verdict }) => verdict !== 'skip')
    expect(others, output).toEqual([])
  })

  test('for trouble is not judged', async () => {
    const { verdicts, output, exitCode } = await judged(
      () => new Response('{}', { status: 500 }),
      ['export.csv.*', 'export.pdf*', 'export.default-*', 'export.no-filter', 'export.invalid.*'],
    )
    const others = Object.values(verdicts).filter(({ verdict }) => verdict !== 'inconclusive')
    expect(others, output).toEqual([])
    expect(exitCode).toBe(3)
  })
})

// Alone: memory is watched for the whole process.
test('a PDF that inflates without end is trouble for the text, and none for its pages', async () => {
  const file = await bomb(1_100)
  const { verdicts, output } = await judged(
    (query) => (isPdf(query) ? answerOf(file) : undefined),
    ['export.pdf.*'],
  )
  expect(verdicts['export.pdf.readable']?.verdict, output).toBe('pass')
  expect(verdicts['export.pdf.text']?.verdict, output).toBe('inconclusive')
  expect(verdicts['export.pdf.text']?.reason).toContain('page 1 of 1 of the PDF: reading it takes')
})
