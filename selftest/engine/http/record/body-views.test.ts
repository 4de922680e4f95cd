import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { viewsOf } from '../../../../engine/http/record/body-views.ts'
import texts from './pdf-texts.json' with { type: 'json' }

/** The views of a PDF of these streams, as far as it is searched. */
function viewsOfPdf(streams: readonly (string | Buffer)[]): string[] {
  const parts = streams.flatMap((each) => ['\nstream\r\n', deflateSync(each), '\nendstream'])
  return [
    ...viewsOf({}, Buffer.concat(['%PDF-1.7', ...parts].map((each) => Buffer.from(each)))),
  ].map(String)
}

test.each(Object.entries(texts))('a text of a PDF is found: %s', (_, streams) => {
  const views = viewsOfPdf(streams)
  expect(views.join('\n')).toContain('key')
  expect(views).not.toContain('unsearched')
})

const letters = `beginbfrange ${'<0000> <ffff> <0041>\n'.repeat(500)}`
test.each([
  ['strings that do not end', `${'('.repeat(3_000_000)}(${'\\a'.repeat(3_000_000)}\\ Tj`, false],
  ['tables that do not end', 'beginbfchar <01> ['.repeat(200_000), false],
  ['a stream that inflates to more than is kept', Buffer.alloc(65 * 1024 * 1024), true],
  ['more letters than fonts have', letters, true],
])('%s cost little', (_, stream, isUnsearched) => {
  const start = process.cpuUsage()
  expect(viewsOfPdf([stream]).includes('unsearched')).toBe(isUnsearched)
  expect(process.cpuUsage(start).user / 1_000_000).toBeLessThan(20)
})
