import { commandLine } from '../engine/called.ts'
import { counted } from '../engine/counted.ts'
import { Impossible } from '../engine/impossible.ts'
import { holderFor, releaseLock, sweep, toldHolder } from '../engine/journal/lock.ts'
import { readEnvironment } from '../engine/settings/environment.ts'
import { type Debt, openJournal, owedElsewhere } from '../helpers/loans/journal.ts'
import type { Ending } from '../helpers/loans/put-back.ts'
import { settleDebts } from '../helpers/loans/settle-debts.ts'
import { describeAssignment } from '../helpers/service/assignments.ts'
import { readSettings } from '../helpers/settings/read.ts'
import type { Settings } from '../helpers/settings/table.ts'
import { printable } from '../reporting/parts/texts.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { asImpossible, lock, lockFile } from './run/loans.ts'

/** Puts back what a killed run left changed, from the journal and the settings alone. */
export async function restore(wanted: Call & { retryForMs?: number }): Promise<number> {
  const { env, cwd, out, retryForMs } = wanted
  const flags = readFlags('restore', wanted)
  const read = readSettings(readEnvironment(cwd, env, flags.envFile), { cwd, flags })
  const say = (line: string) => out.write(`${printable(line)}\n`)

  const { settings, journal, debts, elsewhere } = asImpossible(() => readDebts(read))
  for (const [target, owed] of elsewhere)
    say(
      `left changed at another address: ${describeDebts(owed)}; set BASE_URL=${target} to put that back`,
    )
  const isLeft = elsewhere.size > 0
  if (debts.length === 0) {
    const why = `: the journal in ${settings.journalDir} names no task`
    say(`nothing to put back${isLeft ? ' at this address' : why}`)
    return isLeft ? 3 : 0
  }
  if (settings.readOnly)
    throw new Impossible(
      `READ_ONLY is set, but putting back ${describeDebts(debts)} needs updates; unset READ_ONLY.`,
    )

  const free = asImpossible(() => {
    journal.needWritable()
    const { timeoutMs, settleMs } = settings
    const holder = holderFor((retryForMs ?? 60_000) + 4 * timeoutMs + settleMs)
    return debts.filter(({ task }) => {
      const other = lock(journal, task, holder)
      if (other) say(`task ${task}: in use by another run (${toldHolder(other)}): left alone`)
      return !other
    })
  })
  try {
    const tasks = free.map(({ task }) => task)
    const { endings } = await settleDebts(settings, { tasks, doubt: 'everything', retryForMs })
    for (const ending of endings) say(describeEnding(ending, debts))
    if (endings.some(({ state }) => state === 'put back'))
      say('putting back made ACTOR_ID the assigner, added audit events and may have sent emails')
    const owed = endings.filter(({ state }) => state === 'owed').length + debts.length - free.length
    if (owed === 0 && !isLeft) say('nothing is left to put back')
    if (owed > 0)
      say(`${counted(owed, 'task is', 'tasks are')} left: ${commandLine('restore')} tries again`)
    return owed > 0 || isLeft ? 3 : 0
  } finally {
    for (const { task } of free) releaseLock(lockFile(journal, task))
    sweep(journal.dir)
  }
}

/** The debts to the configured address, also if the run found the service under its /v5. */
function readDebts(read: Settings) {
  const targets = read.embedded ? [] : [read.baseUrl, `${read.baseUrl}/v5`]
  const baseUrl = targets.find((target) => openJournal(read.journalDir, target).open().length > 0)
  const elsewhere = owedElsewhere(read.journalDir, baseUrl ?? '')
  const [other] = elsewhere.keys()
  if (read.embedded && other !== undefined)
    throw new Impossible(
      `BASE_URL is not set, and the journal contains tasks of ${other}: set BASE_URL to that address, and API_KEY to its key.`,
    )
  const settings = { ...read, baseUrl: baseUrl ?? read.baseUrl }
  const journal = openJournal(settings.journalDir, settings.baseUrl)
  return { settings, journal, debts: baseUrl ? journal.open() : [], elsewhere }
}

function describeEnding(ending: Ending & { task: string }, debts: Debt[]): string {
  const was = describeAssignment(debts.find(({ task }) => task === ending.task)?.before ?? null)
  const words = {
    'as found': `as found, ${was}`,
    'put back': `put back, ${was}`,
    gone: 'given up',
    theirs: 'left as it is',
    unknown: 'left unassigned',
    owed: `NOT put back (it was ${was})`,
  }
  const why = 'reason' in ending ? `: ${ending.reason}` : ''
  return `task ${ending.task}: ${words[ending.state]}${why}`
}

const describeDebts = (debts: Debt[]) =>
  `${debts.length === 1 ? 'task' : 'tasks'} ${debts.map(({ task }) => task).join(', ')}`
