import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '../engine/called.ts'
import { SettingsError } from '../engine/settings/environment.ts'
import { openServiceClient } from '../helpers/settings/client.ts'
import { readSettings } from '../helpers/settings/read.ts'
import type { Settings } from '../helpers/settings/table.ts'
import type { Given } from './input/commands.ts'
import { Impossible, UsageError } from './input/mistakes.ts'
import { readOrder } from './input/order.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { firstContact } from './run/first-contact.ts'
import { type Answers, askAll, type Tried } from './setup/answers.ts'
import { discover } from './setup/discover.ts'
import { writeEnvFile } from './setup/env-file.ts'
import { type Asker, askerOn, Cancelled, type Terminal } from './setup/terminal.ts'

export type Setup = Call & Partial<Terminal>

/** Asks for the settings of a run, tries them, and writes .env. */
export async function setup(call: Setup): Promise<number> {
  const flags = readFlags('setup', call)
  if (!flags) return 0
  const { input = process.stdin, output = process.stdout, cwd } = call
  const isTerminal = Boolean(input.isTTY && output.isTTY)
  const isAnswered = flags.yes && flags.baseUrl !== undefined && Boolean(flags.apiKey)
  if (!isTerminal && !isAnswered)
    throw new UsageError(
      'setup needs a terminal; give --base-url, --api-key and --yes, or copy .env.example to .env.',
    )
  const ask = flags.yes ? undefined : askerOn({ input, output })
  const file = join(cwd, '.env')
  try {
    const answers = await askAll(ask, answersIn(flags), (given) => tryOut(given, cwd))
    // What is wrong with an id is told before anything is written.
    const settings = settingsOf(answers, cwd)
    if (await isPlanWanted(ask, flags)) await showPlan(settings, call)
    if (!(await mayWrite(ask, flags, file))) {
      call.out.write(`${file} was left as it is\n`)
      return 0
    }
    writeEnvFile(file, new Map(Object.entries(answers)))
    call.out.write(`${file} was written; ${commandLine('check')} starts a run\n`)
    return 0
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    call.out.write('Cancelled: nothing was written\n')
    return 130
  }
}

/** The answers that flags give. */
const answersIn = (flags: Given<'setup'>): Partial<Answers> => ({
  BASE_URL: flags.baseUrl,
  API_KEY: flags.apiKey || undefined,
  TASK_IDS: flags.taskIds,
  READ_TASK_IDS: flags.readTaskIds,
  ASSESSMENT_IDS: flags.assessmentIds,
  ACTOR_ID: flags.actorId,
  USER_IDS: flags.userIds,
  TEAM_IDS: flags.teamIds,
})

const settingsOf = (answers: Partial<Answers>, cwd: string): Settings => {
  const given = Object.entries(answers).filter(([, value]) => value !== '')
  return readSettings(Object.fromEntries(given), { cwd })
}

/** Asks the service with an address and a key for what it shows; a sentence says why it does not. */
async function tryOut(given: Partial<Answers>, cwd: string): Promise<Tried> {
  try {
    const settings = { ...settingsOf(given, cwd), maxExportMb: 32 }
    const { baseUrl } = await firstContact(settings, new AbortController().signal)
    const client = openServiceClient({ ...settings, baseUrl })
    try {
      const known = [...settings.taskIds, ...settings.readTaskIds]
      return { baseUrl, seen: await discover(client, known) }
    } finally {
      await client.close()
    }
  } catch (error) {
    if (error instanceof SettingsError || error instanceof Impossible) return { why: error.message }
    throw error
  }
}

async function isPlanWanted(ask: Asker | undefined, flags: Given<'setup'>): Promise<boolean> {
  if (flags.plan || !ask) return flags.plan
  return ask.confirm('Show what a run costs? Nothing is sent for it', true)
}

/** What a run would cost, as --plan shows it. */
async function showPlan(settings: Settings, { out, cwd }: Call): Promise<void> {
  const flags = readFlags('plan', { argv: [], env: {}, out })
  if (!flags) return
  const { plan } = await import('./plan.ts')
  await plan({ settings, order: readOrder(flags, cwd, settings.reportsDir), out })
}

async function mayWrite(
  ask: Asker | undefined,
  flags: Given<'setup'>,
  file: string,
): Promise<boolean> {
  if (!existsSync(file))
    return ask ? ask.confirm(`Write ${file}, readable by you alone?`, true) : true
  if (flags.overwrite) return true
  if (ask) return ask.confirm(`${file} is there: change these settings in it?`, false)
  throw new UsageError(`${file} is there; give --overwrite to change these settings in it.`)
}
