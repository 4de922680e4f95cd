import { describe, expect, test } from 'vitest'
import { summaryOf } from '../../reporting/console.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { breach, clause, exchange, htmlOf, reportWith } from './sample-reports.ts'

const failing = reportWith(
  Array.from({ length: 300 }, (_, at) => {
    return clause(`area.failing.${at}`, {
      verdict: 'fail',
      reason: `answer ${at} was wrong`,
      breaches: [{ ...breach(`answer ${at} was wrong`, at + 1), got: String(200 + at) }],
      evidence: [exchange(at, { path: `/tasks/${at}` })],
    })
  }),
)

describe('300 clauses that fail, each for a cause of its own', () => {
  const files = ['/r/report.json', '/r/index.html']

  test('fill at most a screen of a terminal, which says where they are', () => {
    const lines = summaryOf(failing, { verbose: false, files }).trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(60)
    expect(lines.join('\n')).toMatch(/… and \d+ clauses of \d+ more groups: \/r\/index.html/)
  })

  test('are all in the page, and the summary stays under what a job may show', () => {
    const page = htmlOf(failing)
    for (const at of [0, 150, 299]) expect(page).toContain(`area.failing.${at}`)
    expect(markdownOf(failing).length).toBeLessThan(1_000_000)
  })
})

test('300 clauses that are skipped, each for a reason of its own, leave room on the screen', () => {
  const skipped = Array.from({ length: 300 }, (_, at) =>
    clause(`area.skipped.${at}`, { verdict: 'skip', cause: 'data', reason: `no event ${at}` }),
  )
  const lines = summaryOf(reportWith(skipped), { verbose: false }).trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(60)
  expect(lines.join('\n')).toContain('more reasons: index.html#part=unchecked')
  expect(lines.join('\n')).toContain('no event 0')
})
