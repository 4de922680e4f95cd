import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { slim } from '../../reporting/parts/slim.ts'
import { builtProgram } from '../../selftest/built.ts'
import { interleaved } from '../interleaved.ts'
import type { Part } from '../part.ts'
import { createPeak } from '../peak.ts'
import { npmScript, type Sample, timed, timedNode } from '../processes.ts'
import { scratch } from '../scratch.ts'

const targets = 10

/** Another target's clause: some break, some differ, some are not decided, not all of them each day. */
function bent(clause: ClauseReport, at: number, target: number, day: number): ClauseReport {
  if (target === 0) return clause
  if (clause.level === 'observe')
    return at % 13 === target ? { ...clause, observed: `other ${target}` } : clause
  if (at % 17 === target && (at + day) % 5 > 0)
    return {
      ...clause,
      verdict: clause.level === 'must' ? 'fail' : 'warn',
      reason: 'answered 200, not 404',
    }
  return at % 11 === target
    ? { ...clause, verdict: 'skip', cause: 'setting', reason: 'set MAILBOX_URL' }
    : clause
}

/** Writes reports of ten targets, a day apart, of the size of a real one. */
function writeReports(base: Report, count: number): { full: string; slim: string } {
  const dirs = { full: join(scratch, 'board-full'), slim: join(scratch, 'board-slim') }
  for (const dir of Object.values(dirs)) mkdirSync(dir, { recursive: true })
  for (let n = 0; n < count; n += 1) {
    const [target, day] = [n % targets, Math.floor(n / targets)]
    const report: Report = {
      ...base,
      target: { baseUrl: `https://region-${target}.example.com/v5`, embedded: false },
      startedAt: new Date(Date.UTC(2026, 8, 1 + day, 3, target)).toISOString(),
      clauses: base.clauses.map((clause, at) => bent(clause, at, target, day)),
    }
    writeFileSync(join(dirs.full, `${n}.json`), JSON.stringify(report))
    writeFileSync(join(dirs.slim, `${n}.json`), JSON.stringify(slim(report)))
  }
  return dirs
}

type Run = (args: string[], look: (pid: number) => void) => Promise<Sample>

const built: Run = (args, look) => timedNode([builtProgram(), ...args], { look })
const fromSource: Run = (args, look) => {
  const { command, args: given } = npmScript(args[0] ?? '')
  return timed(command, ['-c', `${given[1]} ${args.slice(1).join(' ')}`], { look })
}

const madeOf = async (run: Run, dir: string): Promise<Sample> => {
  const peak = createPeak()
  const sample = await run(['board', dir, '--out', join(scratch, 'board')], peak.look)
  return { ...sample, told: { megabytes: peak.megabytes() } }
}

const most = { slim: 5, full: 30 }
const mostMegabytes = 300

export const board: Part = {
  title: 'a board of 200 reports, slim and full, from the package and as npm run board starts it',
  async measure({ rounds, small }) {
    const env = { REPORTS_DIR: join(scratch, 'reports'), SEED: '1' }
    const { command, args } = npmScript('contract')
    await timed(command, args, { env })
    const base: Report = JSON.parse(readFileSync(join(env.REPORTS_DIR, 'report.json'), 'utf8'))
    const dirs = writeReports(base, small ? 2 * targets : 200)
    const found = await interleaved(
      {
        'slim, package': () => madeOf(built, dirs.slim),
        'full, package': () => madeOf(built, dirs.full),
        'slim, npm run board': () => madeOf(fromSource, dirs.slim),
        'full, npm run board': () => madeOf(fromSource, dirs.full),
      },
      rounds,
    )
    const rows = (['slim', 'full'] as const).flatMap((form) =>
      (['package', 'npm run board'] as const).flatMap((way) => {
        const name = `${form}, ${way}` as const
        const isPackage = way === 'package'
        return [
          {
            what: name,
            unit: 's' as const,
            values: found.seconds([name]),
            ...(isPackage && { most: most[form] }),
          },
          {
            what: `${name}: memory`,
            unit: 'MB' as const,
            values: found.told(name, ({ megabytes = Number.NaN }) => megabytes),
            ...(isPackage && { most: mostMegabytes }),
          },
        ]
      }),
    )
    const notes = [
      'Memory is the sum of PSS of its processes, looked at every 50 ms.',
      'From source, tsx and vitest take 314 MB to list the clauses, before a report is read.',
    ]
    return { rows, notes }
  },
}
