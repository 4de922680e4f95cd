import { NoSuchClause } from './engine/clause/selection.ts'
import { SettingsError } from './engine/settings/environment.ts'
import { UsageError } from './program/input/flags.ts'
import { Impossible } from './program/input/mistakes.ts'
import { interruptedBySignals } from './program/run/interruption.ts'
import { printable } from './reporting/parts/printable.ts'

const commands: Record<string, (argv: string[]) => Promise<number>> = {
  check: async (argv) => {
    const { env } = process
    // Before anything else: loading takes a while, and somebody may think better of it.
    const interruption = interruptedBySignals()
    // Loaded here: the runner takes longer to load than the other commands to do their work.
    const { check } = await import('./program/check.ts')
    const { exitCode } = await check({
      argv,
      env,
      cwd: process.cwd(),
      out: process.stdout,
      interruption,
    })
    return exitCode
  },
  compare: async (argv) =>
    (await import('./program/compare.ts')).compareReports({
      argv,
      env: process.env,
      cwd: process.cwd(),
      out: process.stdout,
    }),
  restore: async (argv) =>
    (await import('./program/restore.ts')).restore({
      argv,
      env: process.env,
      cwd: process.cwd(),
      out: process.stdout,
    }),
  serve: async (argv) =>
    (await import('./program/serve.ts')).serve(argv, process.env, process.stdout),
  clauses: async (argv) => (await import('./program/clauses.ts')).listClauses(argv, process.stdout),
}

/** Runs one command; what is wrong with how it was called ends as sentences, never as a stack. */
async function main([name = 'check', ...argv]: string[]): Promise<number> {
  const command = commands[name]
  if (!command) {
    process.stderr.write(`'${name}' is no command: ${Object.keys(commands).join(', ')}\n`)
    return 2
  }
  try {
    return await command(argv)
  } catch (error) {
    if (error instanceof SettingsError) {
      process.stderr.write(`${error.mistakes.join('\n')}\n`)
      return 2
    }
    if ([UsageError, Impossible, NoSuchClause].some((kind) => error instanceof kind)) {
      // It may quote the service.
      process.stderr.write(`${printable((error as Error).message)}\n`)
      return 2
    }
    const stack = (error as Error)?.stack ?? String(error)
    process.stderr.write(`This is a mistake of the suite: ${printable(stack)}\n`)
    return 3
  }
}

process.exit(await main(process.argv.slice(2)))
