import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { viewsOf } from '../../../../engine/http/record/body-views.ts'

/** The views of a PDF of these streams, as far as it is searched. */
function viewsOfPdf(streams: readonly (string | Buffer)[]): string[] {
  const parts = streams.flatMap((each) => ['\nstream\r\n', deflateSync(each), '\nendstream'])
  return [
    ...viewsOf({}, Buffer.concat(['%PDF-1.7', ...parts].map((each) => Buffer.from(each)))),
  ].map(String)
}

test.each([
  ['digits, kerned', '[<6b65> -20 <79>] TJ'],
  ['brackets and digits', '[(k) 3 <65> (\\171)] TJ'],
  ['a pair of brackets before it', '(of (it) key) Tj'],
  ['letters of two bytes', '<006b00650079> Tj'],
  ['a stream that is not a page', '<x:key/>'],
])('a text of a PDF is found: %s', (_, stream) => {
  const views = viewsOfPdf([stream])
  expect(views.join('\n')).toContain('key')
  expect(views).not.toContain('unsearched')
})

test.each([
  ['strings that do not end', `${'('.repeat(3_000_000)}(${'\\a'.repeat(3_000_000)}\\ Tj`, false],
  ['a stream that inflates to more than is kept', Buffer.alloc(65 * 1024 * 1024), true],
])('%s cost little', (_, stream, isUnsearched) => {
  const start = process.cpuUsage()
  expect(viewsOfPdf([stream]).includes('unsearched')).toBe(isUnsearched)
  expect(process.cpuUsage(start).user / 1_000_000).toBeLessThan(20)
})
