import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { secretsOf } from '../engine/http/redaction.ts'
import { nameInCode } from '../engine/settings/table.ts'
import { openJournal } from '../helpers/loans/journal.ts'
import { narrowed } from '../helpers/settings/profiles.ts'
import { type Settings, table } from '../helpers/settings/table.ts'
import { makeWorld } from '../reference/world/world.ts'
import { grouped, type Out } from '../reporting/console.ts'
import { describeLevels } from '../reporting/parts/count.ts'
import { present, printable } from '../reporting/parts/texts.ts'
import { chosenBy, type ListedClause, type Need } from './clauses.ts'
import { type Cost, costs, profileLines } from './costs.ts'
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

type Planned = { settings: Settings; order: Order; out: Out }

export function printPlan({ settings, order, out }: Planned): void {
  const chosen = chosenBy(selectionFor(order, settings))
  const reasons = new Map(chosen.map((clause) => [clause.id, whySkipped(clause, settings)]))
  const runs = chosen.filter(({ id }) => !reasons.get(id))
  const lacking = chosen.filter(({ id }) => reasons.get(id))
  const { profile = 'full' } = order
  const selection = describeSelection(order)
  const lines = present([
    '',
    `PLAN  would test: ${settings.embedded ? 'the EMBEDDED REFERENCE SERVICE (no BASE_URL is set: your service would not be tested)' : settings.baseUrl}`,
    '  nothing was sent',
    [...settings.notices, ...order.notices].map((notice) => `  notice: ${notice}`),
    selection !== undefined && `  only: ${selection}`,
    '',
    `  would run   ${runs.length} of ${chosen.length} clauses${runs.length > 0 ? `: ${describeLevels(runs)}` : ''}`,
    lacking.length > 0 && [
      '',
      `  would be skipped: ${lacking.length}`,
      ...grouped(lacking, ({ id }) => reasons.get(id) ?? ''),
    ],
    unforeseen(settings).map((why) => `  ${why}`),
    order.verbose && [
      '',
      ...chosen.map(({ id }) => `  ${reasons.get(id) ? 'skip' : 'run '}  ${id}`),
    ],
    '',
    profileLines(profile),
    '',
    selection !== undefined &&
      selection !== `--profile ${profile}` &&
      '  this selection costs at most what its profile costs',
    updateLines(settings, costs[profile]).map((line) => `  ${line}`),
    '  requests repeated after trouble, a 429 or another writer come on top',
    `  seed ${settings.seed}: SEED=${settings.seed} makes the run draw the same values`,
  ])
  out.write(`${lines.map(printable).join('\n')}\n`)
}

/** Why a run would skip this clause for a setting; undefined: it would not. */
export function whySkipped(
  { id, operation = '', needs = [] }: ListedClause,
  settings: Settings,
): string | undefined {
  const { notPermitted, readOnly } = settings
  const changes = needs.includes('TASK_IDS')
  if (notPermitted.includes(id)) return `NOT_PERMITTED declares ${id}`
  if (readOnly && (changes || operation.startsWith('assign.')))
    return 'READ_ONLY is set: no update is sent'
  const used = [operation, ...(changes ? ['task.read', 'assign.update'] : [])]
  const denied = used.find((each) => notPermitted.includes(each))
  if (denied) return `NOT_PERMITTED declares that this key may not use ${denied}`
  const absent = needs.find((each) => !isSet(each, settings))
  if (absent === 'READ_TASK_IDS') return 'set TASK_IDS or READ_TASK_IDS: tasks to read'
  return absent && `set ${absent}: ${table[absent].meaning}`
}

function isSet(name: Need, settings: Settings): boolean {
  // The embedded service brings all settings except those outside it.
  if (settings.embedded && !['WRONG_REGION_URL', 'OUTSIDE_PROXY_URL'].includes(name)) return true
  if (name === 'READ_TASK_IDS' && isSet('TASK_IDS', settings)) return true
  const value = settings[nameInCode(name) as keyof Settings]
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
}

/** What a clause does not tell by the givens that it names. */
function unforeseen({ embedded, readOnly, taskIds, userIds, teamIds, notPermitted }: Settings) {
  if (embedded || readOnly || taskIds.length === 0) return []
  return present([
    userIds.length === 0 && 'USER_IDS is not set: what assigns a task to a user is skipped too',
    teamIds.length === 0 && 'TEAM_IDS is not set: what assigns a task to a team is skipped too',
    notPermitted.length > 0 && 'NOT_PERMITTED is set: what others prepare with it is skipped too',
  ])
}

function updateLines({ embedded, readOnly, taskIds, maxWrites }: Settings, cost: Cost): string[] {
  if (readOnly) return ['READ_ONLY: no update is sent']
  if (!embedded && taskIds.length === 0) return ['TASK_IDS is not set: no task is changed']
  const isBound = maxWrites !== undefined && maxWrites < cost.updates
  return present([
    'each of the updates adds an audit event, and may email a user or the members of a team',
    isBound && `MAX_WRITES=${maxWrites} is set, and leaves out some of the updates`,
  ])
}
