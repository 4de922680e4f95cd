import { expect, test } from 'vitest'
import { annotationsOf, azureLine, githubLine } from '../../reporting/annotations.ts'
import { hostileReport, variedReport } from './sample-reports.ts'

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
