import { describe, expect, test } from 'vitest'
import { contract } from '../../program/run/contract.ts'
import { summaryOf } from '../../reporting/console.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { withRepeats } from '../../reporting/repeat/repeats.ts'
import { breach, clause, exchange, htmlOf, reportWith } from './sample-reports.ts'

const failing = (bodies: boolean) =>
  reportWith(
    Array.from({ length: 300 }, (_, at) => {
      const { body, requestBody, ...bare } = exchange(at, { path: `/tasks/${at}` })
      return clause(`area.failing.${at}`, {
        verdict: 'fail',
        reason: `answer ${at} was wrong`,
        breaches: [{ ...breach(`answer ${at} was wrong`, at + 1), got: String(200 + at) }],
        evidence: [bodies ? { ...bare, body: body ?? '{}' } : bare],
      })
    }),
  )

describe('300 clauses that fail, each for a cause of its own', () => {
  const files = ['/r/report.json', '/r/index.html']

  test('fill no more than a screen of a terminal, and are told where they stand', () => {
    const lines = summaryOf(failing(true), { verbose: false, files }).trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(60)
    expect(lines.join('\n')).toMatch(/… and \d+ clauses of \d+ more groups: \/r\/index.html/)
  })

  test('are all in the page, and the summary stays under what a job may show', () => {
    const page = htmlOf(failing(true))
    for (const at of [0, 150, 299]) expect(page).toContain(`area.failing.${at}`)
    expect(markdownOf(failing(true)).length).toBeLessThan(1_000_000)
  })

  test('are told without bodies too, each with a script or why there is none', () => {
    const { report, scripts } = withRepeats(failing(false), contract)
    for (const { breaches = [] } of report.clauses)
      for (const each of breaches) expect(each.repeat ?? each.notRepeated).toBeTruthy()
    expect(Object.keys(scripts)).toHaveLength(
      report.clauses.filter(({ breaches = [] }) => breaches.some(({ repeat }) => repeat)).length,
    )
    expect(htmlOf(report)).toContain('answer 299 was wrong')
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
