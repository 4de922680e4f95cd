import { execFileSync } from 'node:child_process'
import manifest from '../../package.json' with { type: 'json' }

/** The version of this suite, as reports name it. */
export const suiteVersion: string = manifest.version

/** The commit of this suite: the package knows it, a clone asks git, anything else has none. */
export function suiteCommit(): string | undefined {
  if (import.meta.filename.endsWith('.js')) return (manifest as { commit?: string }).commit
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    const given = { cwd: import.meta.dirname, stdio: [...stdio] }
    return execFileSync('git', ['rev-parse', 'HEAD'], given).toString().trim()
  } catch {
    return undefined
  }
}
