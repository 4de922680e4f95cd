import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '../engine/called.ts'
import { Impossible } from '../engine/impossible.ts'
import { nameInCode } from '../engine/settings/table.ts'
import { mainSettings } from '../helpers/settings/table.ts'
import { readOrder } from './input/order.ts'
import { type Call, readFlags, uncalled } from './input/read-flags.ts'
import { type Answers, settingsOf } from './setup/checks.ts'
import { writeEnvFile } from './setup/env-file.ts'
import { questions } from './setup/questions.ts'
import { askerOn, Cancelled, inTurn, type Terminal } from './setup/terminal.ts'

/** Asks for the settings of a run, tries them, and writes .env. */
export async function setup(call: Call & Partial<Terminal>): Promise<number> {
  const flags = readFlags('setup', call)
  const { input = process.stdin, output = process.stdout, cwd, out } = call
  const isTerminal = Boolean(input.isTTY && output.isTTY)
  const isAnswered = flags.yes && flags.baseUrl !== undefined && Boolean(flags.apiKey)
  if (!isTerminal && !isAnswered)
    throw new Impossible(
      'setup needs a terminal; give --base-url, --api-key and --yes, or copy .env.example to .env.',
    )
  const ask = flags.yes ? undefined : askerOn({ input, output })
  const file = join(cwd, '.env')
  const given = mainSettings.map((name) => [
    name,
    flags[nameInCode(name) as 'taskIds'] || undefined,
  ])
  const answers = Object.fromEntries(mainSettings.map((name) => [name, ''])) as Answers
  const say = (sentence: string) => out.write(`${sentence}\n`)
  let mayWrite = true
  ask?.say('Escape goes back one question. Ctrl-C ends this, and nothing is written.', 'Setup')
  try {
    await inTurn([
      ...questions(answers, { ask, flags: Object.fromEntries(given), cwd, say }),
      async () => {
        // Check the answers together before anything is written.
        const settings = settingsOf(answers, cwd)
        const isAsked = ask !== undefined && !flags.plan
        const wanted = isAsked
          ? await ask.confirm('Show what a run costs? Nothing is sent for it', true)
          : flags.plan
        if (wanted) {
          const { printPlan } = await import('./plan.ts')
          printPlan({ settings, order: readOrder(uncalled(), cwd, settings), out })
        }
        return isAsked
      },
      async () => {
        const isThere = existsSync(file)
        if (isThere && flags.overwrite) return false
        if (isThere && !ask)
          throw new Impossible(`${file} exists; give --overwrite to change these settings in it.`)
        if (ask)
          mayWrite = isThere
            ? await ask.confirm(`${file} exists: change these settings in it?`, false)
            : await ask.confirm(`Write ${file}, readable by you alone?`, true)
        return ask !== undefined
      },
    ])
    if (mayWrite) writeEnvFile(file, new Map(Object.entries(answers)))
    say(
      mayWrite
        ? `${file} was written; ${commandLine('check')} starts a run`
        : `${file} was left as it is`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    say('Cancelled: nothing was written')
    return 130
  }
}
