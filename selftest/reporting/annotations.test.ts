import { expect, test } from 'vitest'
import { annotationsOf, azureLine, githubLine } from '../../reporting/annotations.ts'
import { badgeOf } from '../../reporting/badge.ts'
import { hostileReport, reportWith, variedReport } from './sample-reports.ts'

test('a text in a log line cannot end the line or begin another', () => {
  expect(githubLine('error', 'a:b,c', '50 %\n::stop-commands::x')).toBe(
    '::error title=a%3Ab%2Cc::50 %25%0A::stop-commands::x',
  )
  expect(azureLine('warning', 'Contract', '50 %\r\n##vso[x]')).toBe(
    '##vso[task.logissue type=warning]Contract: 50 %AZP25%0D%0A##vso[x]',
  )
  for (const line of annotationsOf(hostileReport(), githubLine)) expect(line).not.toMatch(/[\r\n]/)
})

test('at most ten of a kind are annotated, and the last one says how many more there are', () => {
  const [clause] = variedReport().clauses.filter(({ verdict }) => verdict === 'fail')
  if (!clause) throw new Error('there is none')
  const clauses = Array.from({ length: 30 }, (_, at) => ({ ...clause, id: `c${at}` }))
  const lines = annotationsOf({ ...variedReport(), verdict: 'conformant', clauses }, githubLine)
  expect(lines.length).toBe(12)
  expect(lines.at(-1)).toContain('and 21 more: see the report')
})

test('the badge says the verdict and its reach, and that nothing of the kind was tested', () => {
  const badge = JSON.parse(badgeOf(reportWith([])))
  expect(badge).toMatchObject({ schemaVersion: 1, label: 'contract' })
  expect(badgeOf({ ...variedReport(), target: { baseUrl: '', embedded: true } })).toContain(
    'the embedded service: ',
  )
})
