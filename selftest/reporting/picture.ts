// npm run picture: takes docs/page.png, the first screen of a report on the reference service.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { check } from '../../index.ts'

const root = join(import.meta.dirname, '../..')
const reports = join(root, 'reports/picture')
await check({ flags: ['--seed', '1'], settings: { REPORTS_DIR: reports }, cwd: root })
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ viewport: { width: 1000, height: 620 } })
await page.goto(pathToFileURL(join(reports, 'index.html')).href)
await page.screenshot({ path: join(root, 'docs/page.png') })
await browser.close()
