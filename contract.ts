import { redactor } from './engine/http/redaction.ts'
import { Impossible } from './engine/impossible.ts'
import { nearest } from './engine/nearest.ts'
import { describeSuite } from './engine/run/report.ts'
import { type CommandName, removedCommands } from './program/input/commands.ts'
import { describeCommand, describeProgram } from './program/input/help.ts'
import type { Call } from './program/input/read-flags.ts'
import { createSignalInterruption, leave, letReadersLeave } from './program/run/interruption.ts'
import { suitV8 } from './program/run/v8-flags.ts'
import { githubLine } from './reporting/annotations.ts'
import { printable } from './reporting/parts/texts.ts'

const commands: Record<CommandName, (call: Call) => Promise<number>> = {
  check: async (call) => {
    suitV8()
    // Before anything else: loading takes a while, and a Ctrl-C may come meanwhile.
    const interruption = createSignalInterruption()
    // Loaded here: the runner takes longer to load than the other commands to do their work.
    return (await (await import('./program/check.ts')).check({ ...call, interruption })).exitCode
  },
  compare: async (call) => (await import('./program/compare.ts')).compareReports(call),
  restore: async (call) => (await import('./program/restore.ts')).restore(call),
  serve: async (call) => (await import('./program/serve.ts')).serve(call),
  setup: async (call) => (await import('./program/setup.ts')).setup(call),
  verify: async (call) => (await import('./program/verify.ts')).verify(call),
  clauses: async (call) => (await import('./program/clauses.ts')).listClauses(call),
}

/** Runs one command. A wrong call ends with sentences, never with a stack. */
async function main(given: string[]): Promise<number> {
  const [first = ''] = given
  if (['help', '--help', '-h'].includes(first)) {
    process.stdout.write(describeProgram())
    return 0
  }
  // Flags alone are flags of check.
  const [name = 'check', ...argv] = first.startsWith('-') ? ['check', ...given] : given
  if (argv.some((word) => word === '--version' || word === '-v')) {
    const { madeBy } = await import('./program/run/version.ts')
    process.stdout.write(`${describeSuite(madeBy)}\n`)
    return 0
  }
  if (Object.hasOwn(removedCommands, name)) {
    process.stderr.write(`${name} is not a command; ${removedCommands[name]}.\n`)
    return 2
  }
  const names = Object.keys(commands) as CommandName[]
  const known = names.find((each) => each === name)
  if (!known) {
    const meant = nearest(name, names, 2)
    process.stderr.write(
      `unknown command '${name}'; ${meant ? `did you mean ${meant}?` : `use one of ${names.join(', ')}.`}\n`,
    )
    return 2
  }
  if (argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(describeCommand(known))
    return 0
  }
  try {
    return await commands[known]({
      argv,
      env: process.env,
      cwd: process.cwd(),
      out: process.stdout,
    })
  } catch (error) {
    // It may quote the service.
    if (error instanceof Impossible) {
      cannotRun(printable(error.message).split('\n'))
      if (known === 'check') await sayEarlierReports(argv)
      return 2
    }
    const { code, message } = error as NodeJS.ErrnoException
    const missing =
      code?.endsWith('MODULE_NOT_FOUND') && /'(\/[^']+|(@[^/']+\/)?[^/']+)/.exec(message)?.[1]
    if (missing) {
      process.stderr.write(
        `'${missing}' is missing: the installation is not complete; install again.\n`,
      )
      return 2
    }
    const stack = withoutKey((error as Error)?.stack ?? String(error))
    process.stderr.write(
      `Internal error in this suite (your service is not to blame): ${printable(stack)}\n`,
    )
    return 3
  }
}

/** Says why nothing was run, in the terminal and, on GitHub, on the page of the job. */
function cannotRun(sentences: string[]): void {
  process.stderr.write(`${sentences.join('\n')}\n`)
  if (process.env.GITHUB_ACTIONS === 'true')
    for (const each of sentences) process.stdout.write(`${githubLine('error', 'Contract', each)}\n`)
}

async function sayEarlierReports(argv: string[]): Promise<void> {
  const { noticeOfEarlierReports } = await import('./program/report/earlier-reports.ts')
  const sentence = noticeOfEarlierReports({ argv, env: process.env, cwd: process.cwd() })
  if (sentence !== undefined) process.stderr.write(`${printable(sentence)}\n`)
}

/** What cannot be cleaned is not shown. */
function withoutKey(text: string): string {
  try {
    return redactor(process.env.API_KEY ?? '')(text)
  } catch {
    return 'its text is withheld, because API_KEY could not be removed from it'
  }
}

letReadersLeave()
await leave(await main(process.argv.slice(2)))
