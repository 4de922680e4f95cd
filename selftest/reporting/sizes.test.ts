import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { lessonOf, readLessons } from '../../program/input/lesson.ts'
import { contract } from '../../program/run/contract.ts'
import { createResettable, saveState } from '../../program/stand-in/kept-state.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { slimJsonOf } from '../../reporting/all.ts'
import { summaryOf } from '../../reporting/console.ts'
import { htmlOf } from '../../reporting/html/report.ts'
import { unlistedIn } from '../messages/listed.ts'
import { runAgainst } from '../proofs/prove.ts'

const executablePath = '/usr/bin/chromium'

describe('of a run with everything', () => {
  let report: Report
  beforeAll(async () => {
    const run = await runAgainst({ events: 5_200 }, [], { makers: {} })
    report = run.report as Report
    expect(report.clauses.length).toBeGreaterThan(300)
  })

  test('the page has at most 1.5 MB, and a slim report 120 kB', () => {
    expect(Buffer.byteLength(htmlOf(report, contract))).toBeLessThan(1_500_000)
    expect(Buffer.byteLength(slimJsonOf(report))).toBeLessThan(120_000)
  })

  test('what a mock learns of it has at most 300 kB, and is learned again from there', () => {
    const place = mkdtempSync(join(tmpdir(), 'contract-'))
    const world = createResettable(() =>
      createService({ world: makeWorld(1, { events: 1 }) }),
    ).state()
    const lesson = lessonOf(report, 'report.json')
    expect(Object.keys(lesson.observed).length).toBeGreaterThan(70)
    saveState(place, world, lesson)
    expect(statSync(join(place, 'like.json')).size).toBeLessThan(300_000)
    expect(readLessons(['like.json'], place)).toEqual(lesson)
    rmSync(place, { recursive: true })
  })

  test('the console has at most 60 lines', () => {
    const lines = summaryOf(report, { verbose: false, files: ['/r/index.html'] }).split('\n')
    expect(lines.length).toBeLessThanOrEqual(60)
  })

  test.skipIf(!existsSync(executablePath))('the page is printed on at most 8 sheets', async () => {
    const args = ['--headless', '--no-sandbox', '--disable-gpu']
    const browser = await chromium.launch({ executablePath, args })
    try {
      const page = await browser.newPage()
      await page.setContent(htmlOf(report, contract))
      for (const format of ['A4', 'Letter']) {
        const printed = (await page.pdf({ format })).toString('latin1')
        expect(printed.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(8)
      }
    } finally {
      await browser.close()
    }
  })

  test('docs/messages.md lists all that it says', () => {
    expect(unlistedIn(report)).toEqual([])
  })
})
