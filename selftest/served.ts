import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parse } from 'dotenv'
import { builtProgram } from './built.ts'
import { atTestEnd } from './test-end.ts'

/** Starts `serve` on a free port; returns what it printed until it was ready, and the settings among that. */
export async function serveIn(cwd: string, ...flags: string[]) {
  const args = [builtProgram(), 'serve', '--port', '0', ...flags]
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  atTestEnd(() => child.kill())
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('# Ctrl-C')) break
  }
  const settings = lines.filter((line) => !line.startsWith('#'))
  return { child, lines, settings, env: parse(settings.join('\n')) }
}
