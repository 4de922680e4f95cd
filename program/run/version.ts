import { execFileSync } from 'node:child_process'
import type { MadeBy } from '../../engine/run/report.ts'
import manifest from '../../package.json' with { type: 'json' }

/** The commit of this suite: recorded in the package, from git in a clone, else unknown. */
function readCommit(): string | undefined {
  if (import.meta.filename.endsWith('.js')) return (manifest as { commit?: string }).commit
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    const given = { cwd: import.meta.dirname, stdio: [...stdio] }
    return execFileSync('git', ['rev-parse', 'HEAD'], given).toString().trim()
  } catch {
    return undefined
  }
}

export const madeBy: MadeBy = {
  suiteVersion: manifest.version,
  suiteCommit: readCommit(),
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
}
