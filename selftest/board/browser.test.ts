import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeBoard } from '../../program/board.ts'
import { hasNoBrowser } from '../browser.ts'
import { ask, createOpener, violationsIn } from '../reporting/browsing.ts'
import { clause, reportWith } from '../reporting/sample-reports.ts'
import { openWorkerFolder } from '../test-end.ts'

const dir = openWorkerFolder()
const ids = Array.from({ length: 40 }, (_, at) =>
  at === 0 ? 'assign.required.unassign-assigned_by_id.forms.status' : `task.read.clause-${at}`,
)
const manifest = [...ids, 'task.read.open'].map((id) => clause(id))
const hosts = ['eu.example.com', 'us.example.com', 'mock.test']

/** The third target fails another clause each day. */
beforeAll(async () => {
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
  await makeBoard({ argv: ['in'], env: {}, cwd: dir, out: { write: () => {} }, manifest })
})

const board = join(dir, 'board')
const opened = createOpener()

describe.skipIf(hasNoBrowser)('a board in a browser', () => {
  test('begins with what differs, and is readable without a script', async () => {
    const { page } = await opened(join(board, 'index.html'), '', { javaScriptEnabled: false })
    const rows = page.locator('#clauses tbody tr:visible')
    expect(await rows.count()).toBe(41)
    expect(await rows.first().locator('th code').textContent()).toMatch(/clause-[123]$/)
    await page.getByRole('link', { name: 'https://mock.test/v5' }).click()
    expect(await page.locator('h1').textContent()).toBe('https://mock.test/v5')
    expect(await page.locator('main').textContent()).toMatch(/task\.read\.open.*A 1, B 2/s)
  })

  test.each(['light', 'dark'] as const)(
    'passes axe in %s, and fits a phone',
    async (colorScheme) => {
      const [target = ''] = readdirSync(join(board, 'targets'))
      for (const file of ['index.html', `targets/${target}`]) {
        const options = { colorScheme, viewport: { width: 360, height: 740 } }
        const { page } = await opened(join(board, file), '', options)
        expect(await violationsIn(page), file).toEqual([])
        expect(await ask(page, 'document.documentElement.scrollWidth'), file).toBeLessThanOrEqual(
          360,
        )
      }
    },
  )
})
