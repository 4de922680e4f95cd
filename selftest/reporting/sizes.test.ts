import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { contract } from '../../program/run/contract.ts'
import { summaryOf } from '../../reporting/console.ts'
import { htmlOf } from '../../reporting/html/report.ts'
import { runAgainst } from '../proofs/prove.ts'

const executablePath = '/usr/bin/chromium'

describe('of a run with everything', () => {
  let report: Report
  beforeAll(async () => {
    const run = await runAgainst({ events: 5_200 }, [], { makers: {} })
    report = run.report as Report
    expect(report.clauses.length).toBeGreaterThan(300)
  })

  test('the page has less than 1 MB', () => {
    expect(Buffer.byteLength(htmlOf(report, contract))).toBeLessThan(1_000_000)
  })

  test('the console has at most 60 lines', () => {
    const lines = summaryOf(report, { verbose: false, files: ['/r/index.html'] }).split('\n')
    expect(lines.length).toBeLessThanOrEqual(60)
  })

  test.skipIf(!existsSync(executablePath))(
    'the page has few elements at first, and is printed on at most 8 sheets',
    async () => {
      const args = ['--headless', '--no-sandbox', '--disable-gpu']
      const browser = await chromium.launch({ executablePath, args })
      try {
        const page = await browser.newPage()
        await page.setContent(htmlOf(report, contract))
        expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(6_000)
        for (const format of ['A4', 'Letter']) {
          const printed = (await page.pdf({ format })).toString('latin1')
          expect(printed.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(8)
        }
      } finally {
        await browser.close()
      }
    },
  )
})
