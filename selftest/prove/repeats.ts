// The script of each fault's breach shows it: made in simulated time, then run against the fault and the good service.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../kept.ts'
import type { Fault } from '../proofs/fault.ts'
import { isDeciding, repeatable, type Scripted, scriptedOf } from '../reporting/scripts-of.ts'
import { chosen, type Kind, shareOf } from './kind.ts'

const breaksExport = ({ breaks }: Fault): boolean => breaks.some((id) => id.startsWith('export.'))

export const repeats: Kind<number, Scripted> = {
  sources: ['reporting', 'selftest/reporting'],
  act: (at) => scriptedOf(repeatable[at] as Fault),
  nameOf: (at) => repeatable[at]?.name ?? '',
  async prove(flags, tryAll) {
    const made: Scripted[] = []
    const of = new Set(chosen(repeatable, flags))
    const named = [...repeatable.keys()].filter((at) => of.has(repeatable[at] as Fault))
    const tasks = shareOf(named, flags)
    await tryAll(tasks, (at, scripted) => {
      made[at] = scripted
    })
    const SCRIPTS = join(root, 'reports/scripts.json')
    writeFileSync(SCRIPTS, JSON.stringify(made))
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const argv = [vitest, 'run', 'selftest/reporting/repeat.test.ts']
    const { status } = spawnSync(process.execPath, argv, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, SCRIPTS },
    })
    const file = 'selftest/reporting/repeat.test.ts'
    const wrong = { what: file, expected: 'each script shows its breach', got: 'see above' }
    const ofExports = tasks.filter((at) => breaksExport(repeatable[at] as Fault))
    const deciding = ofExports.filter((at) => isDeciding(made[at] ?? {}))
    const share = `${deciding.length} of ${ofExports.length} faults of exports are decided by a script`
    return {
      wrong: status === 0 ? [] : [{ ...wrong, again: 'npm run prove -- repeats' }],
      figure: `${made.filter((each) => each?.script).length} scripts of ${tasks.length} faults run; ${share}`,
    }
  },
}
