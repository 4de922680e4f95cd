import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../engine/http/exchange.ts'
import type { Report } from '../../engine/run/report.ts'
import { contract } from '../../program/run/contract.ts'
import { makersOf } from '../../reporting/all.ts'
import { consoleOf } from '../../reporting/console.ts'
import { withRepeats } from '../../reporting/repeat/repeats.ts'
import { breach, clause, exchange, reportWith } from './sample-reports.ts'

/** A report with one breach, whose judged exchange is this one. */
function broken(
  given: Partial<Exchange>,
  sentence = 'GET /tasks/1 responded 500, not 2xx',
): Report {
  const judged = exchange(0, { status: 500, ...given })
  return reportWith([
    clause('task.read.success', {
      verdict: 'fail',
      reason: sentence,
      breaches: [{ ...breach(sentence, 1), expected: '2xx', got: '500' }],
      evidence: [judged],
    }),
  ])
}

/** Every file that is made of a report, and the output of the terminal. */
function madeOf(report: Report) {
  const told = withRepeats(report, contract)
  const files = Object.entries(makersOf(contract)).map(([name, make]) => [name, make(told.report)])
  const scripts = Object.entries(told.scripts).map(([name, make]) => [name, make()])
  const made = Object.fromEntries([...files, ...scripts]) as Record<string, string>
  return { ...made, console: consoleOf(told.report, { verbose: false }) } as Record<string, string>
}

const large = { body: undefined, bodyBytes: 52_428_800, bodySha256: 'ab'.repeat(32) }

describe('a judged answer', () => {
  test('whose body was too large to keep is shown with its size', () => {
    const made = madeOf(broken(large))
    expect(made['index.html']).toContain('52,428,800 bytes, not kept')
    expect(made['repeat/task.read.success.sh']).toContain("grep -qv '^2'")
  })

  test('to a body that was too long to keep has no script, and the reason why', () => {
    const requestBody = `(70000 bytes, SHA-256 ${'ab'.repeat(32)})`
    const { report } = withRepeats(broken({ method: 'PUT', requestBody }), contract)
    expect(report.clauses[0]?.breaches?.[0]?.notRepeated).toContain('too long')
    expect(madeOf(broken({ method: 'PUT', requestBody }))['index.html']).toContain('too long')
  })
})

describe('a report without evidence', () => {
  test('without exchanges still says what was expected and what came, and why there is no script', () => {
    const { clauses, ...report } = broken({})
    const bare = clauses.map((each) => ({ ...each, evidence: [] }))
    const made = madeOf({ ...report, exchanges: [], clauses: bare })
    expect(made['index.html']).toContain('Expected')
    expect(made['index.html']).toContain('--clauses task.read.success')
    expect(made['index.html']).toContain('the report does not hold the request')
    expect(made.console).toContain('FAIL task.read.success')
  })
})
