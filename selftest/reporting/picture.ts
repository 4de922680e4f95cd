// npm run picture: takes docs/page*.png, the first screen of reports on the reference service, as it is and
// with three bugs at once.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Report } from '../../engine/run/report.ts'
import { contract } from '../../program/run/contract.ts'
import { htmlOf } from '../../reporting/html/report.ts'
import { withRepeats } from '../../reporting/repeat/repeats.ts'
import { launched } from '../browser.ts'
import { root } from '../kept.ts'
import { faults } from '../proofs/areas.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst } from '../proofs/prove.ts'

const names = [
  'a version mismatch is answered 412',
  'teams are assigned to as users',
  'what was read is kept for 5000 ms before the key is looked at',
]
const bugs = names.map((name) => faults.find((each) => each.name === name) as Bent)
const three: Bent = {
  stated: Object.assign({}, ...bugs.map(({ stated }) => stated)),
  open: Object.assign({}, ...bugs.map(({ open }) => open)),
}

async function pageOf(bent: Bent, name: string): Promise<string> {
  const { report } = await runAgainst(bent, [], { makers: {} })
  // Of a run on a port, as users have it.
  const target = { baseUrl: 'https://staging.example.com/v5', embedded: false }
  const shown = { ...(report as Report), target, residue: [] }
  const file = join(root, 'reports', `${name}.html`)
  writeFileSync(file, htmlOf(withRepeats(shown, contract).report, contract))
  return pathToFileURL(file).href
}

const [green, red] = [await pageOf({}, 'page'), await pageOf(three, 'page-of-three-bugs')]
const browser = await launched()
const shots = [
  { name: 'page', url: green, viewport: { width: 1280, height: 620 } },
  { name: 'page-of-three-bugs', url: red, viewport: { width: 1280, height: 800 } },
  { name: 'page-on-a-phone', url: red, viewport: { width: 400, height: 800 } },
  { name: 'page-on-paper', url: red, viewport: { width: 794, height: 1123 }, isPaper: true },
]
for (const { name, url, viewport, isPaper } of shots) {
  const page = await browser.newPage({ viewport })
  if (isPaper) await page.emulateMedia({ media: 'print' })
  await page.goto(url)
  await page.screenshot({ path: join(root, `docs/${name}.png`) })
}
await browser.close()
process.exit(0)
