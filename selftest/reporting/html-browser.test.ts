import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { renumbered } from '../../reporting/carried-over.ts'
import { hasNoBrowser } from '../browser.ts'
import { isLong } from '../long.ts'
import { openWorkerFolder } from '../test-end.ts'
import { ask, createOpener, violationsIn } from './browsing.ts'
import { hostileReport, htmlOf, largeReport, variedReport } from './sample-reports.ts'

const open = createOpener()
const dir = openWorkerFolder()
let files = 0

/** Opens the page of a report, which asks for nothing else. */
function opened(report: Report, ...rest: [fragment?: string, options?: BrowserContextOptions]) {
  const file = join(dir, `${files++}.html`)
  writeFileSync(file, htmlOf(report))
  return open(file, ...rest)
}

/** The clauses that the filters show, also while their list is folded. */
const shown = (page: Page) =>
  page
    .locator('details.clause:not([hidden])')
    .evaluateAll((all) =>
      all.map((each) => each.getAttribute('data-id')?.replace('task.read.', '')),
    )

/** Waits for the page to go to a clause: browsers say only later that an address changed. */
const untilAt = (page: Page, id: string) =>
  expect.poll(() => ask(page, 'document.activeElement.parentElement?.dataset.id')).toBe(id)

const unfold = (page: Page, part: string) => page.locator(`[id="part=${part}"] > summary`).click()

describe.skipIf(hasNoBrowser)('the page in a browser', () => {
  test('filters by verdict, level, operation and text, and keeps each in its address', async () => {
    const { page, url } = await opened(variedReport())
    expect(await page.title()).toContain('nonconformant: https://eu.example.com/v5')
    await unfold(page, 'clauses')
    expect(await shown(page)).toHaveLength(8)
    await page.getByRole('button', { name: '1 broken' }).click()
    await page.getByRole('button', { name: '1 warned of' }).click()
    expect(await shown(page)).toEqual(['fail', 'warn'])
    expect(page.url()).toBe(`${url}#verdict=${encodeURIComponent('fail,warn')}`)
    await page.getByRole('button', { name: 'should', exact: true }).click()
    expect(await shown(page)).toEqual(['warn'])
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('button', { name: 'Update an assignment' }).click()
    expect(await shown(page)).toEqual(['version.waived'])
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('searchbox').fill('418 TEA')
    await expect.poll(() => shown(page)).toEqual(['observed'])
    expect(await page.locator('#shown').textContent()).toBe('1 of 8 clauses')
    const address = page.url()
    await page.goto('about:blank')
    await page.goto(address)
    expect(await shown(page)).toEqual(['observed'])
  })

  test('a chip filters picture, groups and clauses at once; the keyboard alone is enough', async () => {
    const { page } = await opened(variedReport())
    await page.keyboard.press('Tab')
    expect(await ask(page, 'document.activeElement.textContent')).toBe('Skip to what was found')
    await page.keyboard.press('Enter')
    await expect.poll(() => ask(page, 'document.activeElement.id')).toBe('main')
    await page.getByRole('button', { name: '1 warned of' }).click()
    expect(await page.locator('.picture a:not(.off)').count()).toBe(1)
    expect(await page.locator('.groups tbody tr:visible').count()).toBe(1)
    expect(await page.locator('.cause:visible').count()).toBe(1)
    expect(await shown(page)).toEqual(['warn'])
    await page.getByRole('button', { name: '1 warned of', pressed: true }).click()
    expect(await page.locator('.picture a:not(.off)').count()).toBe(8)
    const square = page.locator('.picture a.fail')
    await square.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    expect(await square.getAttribute('aria-label')).toContain('what task.read.fail states')
    await page.keyboard.press('Enter')
    await untilAt(page, 'task.read.fail')
    expect(await page.locator('[data-id="task.read.fail"]').getAttribute('open')).toBe('')
    await page.locator('[data-id="task.read.warn"] > summary').focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('[data-id="task.read.warn"]').getAttribute('open')).toBe('')
  })

  test('a linked clause opens, is in view and has the focus, despite filters', async () => {
    const { page, url } = await opened(largeAndVaried())
    for (const fragment of ['#clause=task.read.pass', '#verdict=skip&clause=task.read.pass']) {
      await page.goto('about:blank')
      await page.goto(url + fragment)
      await untilAt(page, 'task.read.pass')
      const clause = page.locator('[data-id="task.read.pass"]')
      expect(await clause.getAttribute('open')).toBe('')
      expect(await ask(page, inView('[data-id="task.read.pass"] > summary'))).toBe(true)
    }
  })

  test('an exchange unfolds where it is referred to, and by its own link', async () => {
    const { page, url } = await opened(variedReport(), '#clause=export.lost')
    await page.locator('[data-id="export.lost"] .inside > details > summary').click()
    const item = page.locator('[data-id="export.lost"] details.exchange').last()
    await item.locator('summary').first().click()
    expect(await item.locator('pre.curl').textContent()).toContain('"apikey: $API_KEY"')
    expect(await item.textContent()).toContain('"update": {}')
    await page.goto('about:blank')
    await page.goto(`${url}#exchange=2`)
    await expect.poll(() => ask(page, inView('[data-number="2"] > summary'))).toBe(true)
  })

  // It takes some seconds each time; contrast, which compares every text, takes most of them.
  test.each([['dark', 390], ...(isLong ? ([['light', 1280]] as const) : [])] as const)(
    'axe finds nothing in %s, %i pixels wide',
    async (colorScheme, width) => {
      const options = { colorScheme, viewport: { width, height: 900 } }
      const { page } = await opened(variedReport(), '#clause=export.lost', options)
      await unfoldAll(page)
      expect(await violationsIn(page)).toEqual([])
    },
  )

  test('hostile strings in every field stay text, and in their place', async () => {
    const viewport = { width: 390, height: 800 }
    const { page } = await opened(hostileReport(), '', { viewport })
    await unfoldAll(page)
    expect(await page.locator('img, iframe, base, object, b b').count()).toBe(0)
    expect(await page.locator('script').count()).toBe(2)
    expect(await page.locator('details.clause').count()).toBe(5)
    expect(await page.locator('body > main > :is(section, details)').count()).toBe(8)
    expect(await ask(page, 'document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await page.locator('pre').first().textContent()).toContain('<script>hostile()</script>')
  })

  test('without JavaScript it shows the verdict, breaches and reasons', async () => {
    const { page } = await opened(variedReport(), '', { javaScriptEnabled: false })
    expect(await page.locator('h1').innerText()).toContain('NONCONFORMANT')
    const text = await page.locator('main').innerText()
    for (const said of ['why it is fail', 'why it is warn', 'why it is skip', 'no answer'])
      expect(text).toContain(said)
    await page.locator('.cause details.exchange > summary').first().click()
    expect(await page.locator('.cause details.exchange pre').first().isVisible()).toBe(true)
    expect(await page.locator('#filters').isVisible()).toBe(false)
  })

  test('prints in light colours, with the evidence of what went wrong and no other', async () => {
    const { page } = await opened(variedReport(), '', { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await ask(page, 'getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    )
    expect(await page.locator('#filters').isVisible()).toBe(false)
    // For each cause the judged exchange and its control; for each clause a line.
    expect(await page.locator('.cause .exchange pre:visible').count()).toBeGreaterThan(3)
    expect(await page.locator('.clause > summary:visible').count()).toBe(8)
    expect(await page.locator('.clause .inside:visible').count()).toBe(0)
  })
})

function largeAndVaried(): Report {
  const [varied, large] = [variedReport(), largeReport(230, 70)]
  const [one, other] = renumbered([varied, large]) as [Report, Report]
  return {
    ...varied,
    exchanges: [...one.exchanges, ...other.exchanges],
    clauses: [...one.clauses, ...other.clauses],
  }
}

/** Everything, with what is built on unfolding. */
async function unfoldAll(page: Page): Promise<void> {
  for (let round = 0; round < 4; round += 1)
    await ask(
      page,
      `new Promise((done) => { for (const each of document.querySelectorAll('details')) each.open = true; setTimeout(done, 100) })`,
    )
}

const inView = (selector: string) =>
  `(({ top, bottom }) => top >= 0 && bottom <= innerHeight + 400)(document.querySelector('${selector}').getBoundingClientRect())`
