import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeBoard } from '../../program/board.ts'
import { hasNoBrowser, launched } from '../browser.ts'
import { clause, reportWith } from '../reporting/sample-reports.ts'
import { openWorkerFolder, untilTestEnd } from '../test-end.ts'

const dir = openWorkerFolder()
let browser: Browser
const ids = Array.from({ length: 40 }, (_, at) =>
  at === 0 ? 'assign.required.unassign-assigned_by_id.forms.status' : `task.read.clause-${at}`,
)

/** Makes a board of three days and several targets; the third target fails another clause each day. */
async function makeBoardOf(hosts: string[]) {
  mkdirSync(join(dir, 'in'))
  for (const [at, host] of hosts.entries())
    for (const day of [1, 2, 3]) {
      const clauses = ids.map((id, n) => {
        const fails = at === 2 && n % 10 === day
        return clause(id, fails ? { verdict: 'fail', reason: 'responded 200, not 404' } : {})
      })
      const open = clause('task.read.open', { level: 'observe', verdict: 'observed', observed: at })
      const report = reportWith([...clauses, open], {
        startedAt: `2026-03-0${day}T00:00:00.000Z`,
        target: { baseUrl: `https://${host}/v5`, embedded: false },
        verdict: at === 2 ? 'nonconformant' : 'conformant',
      })
      writeFileSync(join(dir, 'in', `${host}-${day}.json`), JSON.stringify(report))
    }
  await makeBoard({
    argv: ['in'],
    env: {},
    cwd: dir,
    out: { write: () => {} },
    manifest: [...ids.map((id) => clause(id)), clause('task.read.open')],
  })
}

beforeAll(async () => {
  if (hasNoBrowser) return
  browser = await launched()
  await makeBoardOf(['eu.example.com', 'us.example.com', 'mock.test'])
})
afterAll(() => browser?.close())

/** Opens a page of the board; any complaint of the page fails the test. */
async function opened(file: string, options: BrowserContextOptions = {}) {
  const context = untilTestEnd(await browser.newContext(options))
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(pathToFileURL(join(dir, 'board', file)).href)
  return { page, complaints }
}

const pageIn = (folder: string) => `${folder}/${readdirSync(join(dir, 'board', folder))[0]}`
const rows = (page: Page) => page.locator('#clauses tbody tr:visible').count()

describe.skipIf(hasNoBrowser)('a board in a browser', () => {
  test('begins with what differs', async () => {
    const { page, complaints } = await opened('index.html')
    expect(await page.locator('#clauses tbody th code').first().textContent()).toMatch(
      /clause-[123]$/,
    )
    expect(complaints).toEqual([])
  })

  test('is readable without a script', async () => {
    const { page } = await opened('index.html', { javaScriptEnabled: false })
    expect(await rows(page)).toBe(41)
    await page.getByRole('link', { name: 'https://mock.test/v5' }).click()
    expect(await page.locator('h1').textContent()).toBe('https://mock.test/v5')
    expect(await page.locator('main').textContent()).toMatch(/task\.read\.open.*A 1, B 2/s)
  })
  test.each(['light', 'dark'] as const)(
    'passes axe in %s, and fits a phone',
    async (colorScheme) => {
      for (const file of ['index.html', pageIn('targets')]) {
        const options = { colorScheme, viewport: { width: 360, height: 740 } }
        const { page } = await opened(file, options)
        await page.evaluate(axe.source)
        const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
        expect(violations.map(({ id, nodes }) => `${file} ${id}: ${nodes[0]?.html}`)).toEqual([])
        const width = await page.evaluate('document.documentElement.scrollWidth')
        expect(width, file).toBeLessThanOrEqual(360)
      }
    },
  )
})
