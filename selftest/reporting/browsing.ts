// Pages in a browser, opened from disk.
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { hasNoBrowser, launched } from '../browser.ts'
import { isLong } from '../long.ts'
import { atTestEnd, untilTestEnd } from '../test-end.ts'

/** What the browser says of the page, run in it as text: this project has no DOM types. */
export const ask = (page: Page, expression: string): Promise<unknown> => page.evaluate(expression)

/** Opens pages in one browser: a complaint of a page, or a request for anything else, fails the test. */
export function createOpener() {
  let browser: Browser
  beforeAll(async () => {
    if (!hasNoBrowser) browser = await launched()
  })
  afterAll(() => browser?.close())
  return async (file: string, fragment = '', options: BrowserContextOptions = {}) => {
    const url = pathToFileURL(file).href
    const context = untilTestEnd(await browser.newContext(options))
    const page = await context.newPage()
    const complaints: string[] = []
    atTestEnd(() => expect(complaints).toEqual([]))
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`))
    page.on('request', (request) => {
      const isPage = request.isNavigationRequest() && /^(file|about):/.test(request.url())
      if (!isPage) complaints.push(`asked for ${request.url()}`)
    })
    await page.goto(url + fragment)
    return { page, url }
  }
}

/** What axe finds; contrast, which compares every text, takes most of its time. */
export async function violationsIn(page: Page): Promise<string[]> {
  await ask(page, axe.source)
  const options = { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: isLong } } }
  const { violations } = (await ask(
    page,
    `axe.run(document, ${JSON.stringify(options)})`,
  )) as axe.AxeResults
  return violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html} (${nodes.length})`,
  )
}
