import { expect, test } from 'vitest'
import { consoleOf } from '../../reporting/console.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { breach, clause, exchange, reportWith } from './sample-reports.ts'

const places = Array.from({ length: 300 }, (_, at) => at)
const failing = places.map((at) =>
  clause(`area.failing.${at}`, {
    verdict: 'fail',
    reason: `answer ${at} was wrong`,
    breaches: [{ ...breach(`answer ${at} was wrong`, at + 1), got: String(200 + at) }],
    evidence: [exchange(at, { path: `/tasks/${at}` })],
  }),
)
const skipped = places.map((at) =>
  clause(`area.skipped.${at}`, { verdict: 'skip', cause: 'data', reason: `no event ${at}` }),
)

test.each([
  ['fail', failing, /… and \d+ clauses in \d+ more groups: see \/r\/index.html/],
  ['are skipped', skipped, /no event 0(?:.|\n)*more reasons: index.html#part=unchecked/],
])('300 clauses that %s, each for a reason of its own, fill at most a screen', (_, all, words) => {
  const files = ['/r/report.json', '/r/index.html']
  const lines = consoleOf(reportWith(all), { verbose: false, files }).trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(60)
  expect(lines.join('\n')).toMatch(words)
  // What a job may show.
  expect(markdownOf(reportWith(all)).length).toBeLessThan(1_000_000)
})
