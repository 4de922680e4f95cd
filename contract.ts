import { commandLine } from './engine/called.ts'
import { NoSuchClause } from './engine/clause/selection.ts'
import { redactor } from './engine/http/redaction.ts'
import { nearest } from './engine/nearest.ts'
import { describeSuite } from './engine/run/report.ts'
import { SettingsError } from './engine/settings/environment.ts'
import { Impossible, UsageError } from './program/input/mistakes.ts'
import type { Call } from './program/input/read-flags.ts'
import { createSignalInterruption } from './program/run/interruption.ts'
import { leave, letReadersLeave } from './program/run/leave.ts'
import { suitV8 } from './program/run/v8-flags.ts'
import { githubLine } from './reporting/annotations.ts'
import { printable } from './reporting/parts/printable.ts'

const commands: Record<string, (call: Call) => Promise<number>> = {
  check: async (call) => {
    suitV8()
    // Before anything else: loading takes a while, and a Ctrl-C may come meanwhile.
    const interruption = createSignalInterruption()
    // Loaded here: the runner takes longer to load than the other commands to do their work.
    const { check } = await import('./program/check.ts')
    const { exitCode } = await check({ ...call, interruption })
    return exitCode
  },
  plan: async (call) => commands.check?.({ ...call, argv: ['--plan', ...call.argv] }) ?? 2,
  compare: async (call) => (await import('./program/compare.ts')).compareReports(call),
  restore: async (call) => (await import('./program/restore.ts')).restore(call),
  board: async (call) => {
    suitV8()
    return (await import('./program/board.ts')).makeBoard(call)
  },
  serve: async (call) => (await import('./program/serve.ts')).serve(call),
  setup: async (call) => (await import('./program/setup.ts')).setup(call),
  clauses: async (call) => (await import('./program/clauses.ts')).listClauses(call),
}

const meanings: Record<string, string> = {
  check: 'checks the service and writes the reports; this is the default',
  plan: 'shows what a check would cost, and sends nothing',
  setup: 'asks for settings, tries them, and writes .env',
  restore: 'puts back what a killed run left changed',
  compare: 'compares two reports, or several with the first',
  board: 'makes a site of many reports: side by side, and over time',
  serve: 'keeps the reference service on a port',
  clauses: 'lists the clauses',
}

const help = () =>
  [
    `${commandLine('COMMAND', '[FLAGS]')}\n`,
    ...Object.entries(meanings).map(([name, meaning]) => `  ${name.padEnd(8)}  ${meaning}`),
    `\n${commandLine('COMMAND', '--help')} lists the flags of a command.\n`,
  ].join('\n')

/** Runs one command; what is wrong with how it was called ends as sentences, never as a stack. */
async function main(given: string[]): Promise<number> {
  const [first = ''] = given
  if (first === 'help' || first === '--help' || first === '-h') {
    process.stdout.write(help())
    return 0
  }
  if (first === '--version' || first === '-v') {
    const { madeBy } = await import('./program/run/version.ts')
    process.stdout.write(`${describeSuite(madeBy)}\n`)
    return 0
  }
  // Flags alone are flags of check.
  const [name = 'check', ...argv] = first.startsWith('-') ? ['check', ...given] : given
  const command = commands[name]
  if (!command) {
    const meant = nearest(name, Object.keys(commands), 2)
    process.stderr.write(
      `unknown command '${name}'; ${meant ? `did you mean ${meant}?` : `use one of ${Object.keys(commands).join(', ')}.`}\n`,
    )
    return 2
  }
  try {
    return await command({ argv, env: process.env, cwd: process.cwd(), out: process.stdout })
  } catch (error) {
    if (error instanceof SettingsError) {
      return cannotRun(error.mistakes)
    }
    if ([UsageError, Impossible, NoSuchClause].some((kind) => error instanceof kind)) {
      // It may quote the service.
      return cannotRun([printable((error as Error).message)])
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
function cannotRun(sentences: string[]): 2 {
  process.stderr.write(`${sentences.join('\n')}\n`)
  if (process.env.GITHUB_ACTIONS === 'true')
    for (const each of sentences) process.stdout.write(`${githubLine('error', 'Contract', each)}\n`)
  return 2
}

/** What cannot be cleaned is not shown. */
function withoutKey(text: string): string {
  try {
    return redactor(process.env.API_KEY ?? '')(text)
  } catch {
    return 'its text is kept back, for API_KEY could not be taken out of it'
  }
}

letReadersLeave()
await leave(await main(process.argv.slice(2)))
