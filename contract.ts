import { NoSuchClause } from './engine/clause/selection.ts'
import { redactor } from './engine/http/redaction.ts'
import { SettingsError } from './engine/settings/environment.ts'
import { Impossible, UsageError } from './program/input/mistakes.ts'
import type { Call } from './program/input/read-flags.ts'
import { createSignalInterruption } from './program/run/interruption.ts'
import { keepHeapsSmall } from './program/run/small-heaps.ts'
import { githubLine } from './reporting/annotations.ts'
import { printable } from './reporting/parts/printable.ts'

const commands: Record<string, (call: Call) => Promise<number>> = {
  check: async (call) => {
    keepHeapsSmall()
    // Before anything else: loading takes a while, and somebody may think better of it.
    const interruption = createSignalInterruption()
    // Loaded here: the runner takes longer to load than the other commands to do their work.
    const { check } = await import('./program/check.ts')
    const { exitCode } = await check({ ...call, interruption })
    return exitCode
  },
  compare: async (call) => (await import('./program/compare.ts')).compareReports(call),
  restore: async (call) => (await import('./program/restore.ts')).restore(call),
  serve: async (call) => (await import('./program/serve.ts')).serve(call),
  setup: async (call) => (await import('./program/setup.ts')).setup(call),
  clauses: async (call) => (await import('./program/clauses.ts')).listClauses(call),
}

/** Runs one command; what is wrong with how it was called ends as sentences, never as a stack. */
async function main([name = 'check', ...argv]: string[]): Promise<number> {
  const command = commands[name]
  if (!command) {
    process.stderr.write(
      `unknown command '${name}'; use one of ${Object.keys(commands).join(', ')}\n`,
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
    const missing = code === 'ERR_MODULE_NOT_FOUND' && /'([^']+)'/.exec(message)?.[1]
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

/** Says why there is no run; GitHub shows it beside the run as well. */
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

process.exit(await main(process.argv.slice(2)))
