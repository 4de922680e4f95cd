import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { secretsOf } from '../engine/http/redaction.ts'
import { nameInCode } from '../engine/settings/table.ts'
import { openJournal } from '../helpers/loans/journal.ts'
import { narrowed } from '../helpers/settings/profiles.ts'
import type { Settings } from '../helpers/settings/table.ts'
import { makeWorld } from '../reference/world/world.ts'
import { grouped, type Out } from '../reporting/console.ts'
import { describeLevels } from '../reporting/parts/count.ts'
import { present, printable } from '../reporting/parts/texts.ts'
import { chosenBy } from './clauses.ts'
import costs from './costs.json' with { type: 'json' }
import { type Cost, type Costs, costFor, countsIn, profileLines, skippedBy } from './costs.ts'
import type { Given } from './input/commands.ts'
import { describeSelection, type Order, readRun, selectionFor } from './input/order.ts'
import type { Call } from './input/read-flags.ts'
import { orImpossible } from './input/read-json.ts'
import { createOutputGate } from './report/output-gate.ts'
import { asImpossible } from './run/loans.ts'
import { needNoOther } from './run/record.ts'
import { settingsFor } from './stand-in/settings-for.ts'

/**
 * Shows what a run would check, skip and cost. It ends as the run would before its first request, and sends and
 * writes nothing.
 */
export function showPlan(call: Call, flags: Given<'check'>): number {
  const { wanted, order, recordDir } = readRun(call, flags)
  needFolder('REPORTS_DIR', wanted.reportsDir)
  if (recordDir) needFolder('--record', recordDir, needNoOther)
  if (!wanted.embedded) {
    needFolder('JOURNAL_DIR', wanted.journalDir)
    asImpossible(() => openJournal(wanted.journalDir, wanted.baseUrl).open())
  }
  const own = wanted.embedded ? settingsFor({ world: makeWorld(wanted.seed) }) : {}
  const settings = narrowed({ ...wanted, ...own })
  const { out } = createOutputGate(secretsOf(settings))
  printPlan({ settings, order, out: out(call.out) })
  return 0
}

/** The run makes a folder that is missing. */
function needFolder(name: string, dir: string, need = (_: string) => {}): void {
  const whole = () => {
    let there = dir
    while (!existsSync(there)) there = dirname(there)
    if (!statSync(there).isDirectory()) throw new Error('a part of it is a file')
    accessSync(there, constants.W_OK)
    if (there === dir) need(dir)
  }
  orImpossible(whole, (why) => `${name} ${dir} cannot be used (${why}); give a writable folder.`)
}

type Planned = { settings: Settings; order: Order; out: Out; table?: Costs }

export function printPlan({ settings, order, out, table = costs as Costs }: Planned): void {
  const chosen = chosenBy(selectionFor(order, settings))
  const skipped = skippedBy(table, (setting) => isSet(setting, settings))
  for (const id of settings.notPermitted) skipped.set(id, `NOT_PERMITTED declares ${id}`)
  const runs = chosen.filter(({ id }) => !skipped.has(id))
  const lacking = chosen.filter(({ id }) => skipped.has(id))
  const ids = runs.map(({ id }) => id)
  const cost = costFor(table, ids, countsIn(settings), order.profile)
  const selection = describeSelection(order)
  const lines = present([
    '',
    `PLAN  would test: ${settings.embedded ? 'the EMBEDDED REFERENCE SERVICE (no BASE_URL is set: your service would not be tested)' : settings.baseUrl}`,
    '  from what these clauses cost on the reference service; nothing was sent',
    settings.notices.map((notice) => `  notice: ${notice}`),
    selection !== undefined && `  only: ${selection}`,
    '',
    `  would run   ${runs.length} of ${chosen.length} clauses${runs.length > 0 ? `: ${describeLevels(runs)}` : ''}`,
    '',
    costLines(cost, settings),
    lacking.length > 0 && [
      '',
      `  would be skipped: ${lacking.length}`,
      ...grouped(lacking, ({ id }) => skipped.get(id) ?? ''),
    ],
    order.verbose && [
      '',
      ...chosen.map(({ id }) => `  ${skipped.has(id) ? 'skip' : 'run '}  ${id}`),
    ],
    '',
    profileLines(table),
    '',
    '  not known beforehand: requests repeated after trouble or a 429, updates repeated because of',
    '  another writer, and what follows where the service differs from the reference service',
    `  seed ${settings.seed}: SEED=${settings.seed} makes the run draw the same values`,
  ])
  out.write(`${lines.map(printable).join('\n')}\n`)
}

const isSet = (names: string, settings: Settings): boolean =>
  names.split('|').some((setting) => {
    if (setting === '!READ_ONLY') return !settings.readOnly
    if (setting.startsWith('!')) return !settings.notPermitted.includes(setting.slice(1))
    // The embedded service brings all settings except those outside it.
    if (settings.embedded && !['WRONG_REGION_URL', 'OUTSIDE_PROXY_URL'].includes(setting))
      return true
    const value = settings[nameInCode(setting) as keyof Settings]
    if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
    return value !== undefined && value !== false
  })

function costLines(cost: Cost, settings: Settings): string[] {
  const { requests, exports } = cost
  const updates = settings.readOnly ? 0 : cost.updates
  const mayChange = updates > 0 && countsIn(settings).tasks > 0
  const { toUsers, toTeams, toNobody } = mayChange ? cost : { toUsers: 0, toTeams: 0, toNobody: 0 }
  const accepted = toUsers + toTeams + toNobody
  const sizes = Object.values(settings.teamMails).map(({ length }) => length)
  const [least, most] = sizes.length > 0 ? [Math.min(...sizes), Math.max(...sizes)] : [1, 10]
  const tasks = mayChange ? countsIn(settings).tasks : 0
  const mails = [toUsers + toTeams * least, toUsers + toTeams * most + tasks * most]
  const sent = `accepted of ${number(updates)} sent, with those that put tasks back`
  const range = `${number(mails[0])} to ${number(mails[1])}`
  const each =
    sizes.length > 0
      ? 'one to each assigned user and each member of an assigned team'
      : 'by teams of 1 to 10 members; TEAM_MAILS says how many there are'
  const rows: [string, string, string][] = [
    ['requests', number(requests), `${number(exports)} of them exports`],
    ['assignment updates', number(accepted), updates > 0 ? sent : ''],
    ['audit events', number(accepted), 'one for each accepted update'],
    ['mails', mayChange ? range : '0', each],
  ]
  const bound = accepted + tasks + 1
  const { maxWrites } = settings
  const room =
    maxWrites === undefined
      ? `MAX_WRITES=${bound} would be enough: one more for each task that is put back`
      : `MAX_WRITES=${maxWrites} is set${maxWrites < bound ? `; ${bound} would be enough` : ''}`
  const width = Math.max(...rows.map(([, value]) => value.length))
  return [
    '  what it would cost',
    ...rows.map(([name, value, note]) =>
      `    ${name.padEnd(19)}${value.padStart(width)}  ${note}`.trimEnd(),
    ),
    ...(mayChange ? [`    ${room}`] : []),
  ]
}

const number = (n = 0) => n.toLocaleString('en')
