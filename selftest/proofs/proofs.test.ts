import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import { root } from '../kept.ts'
import { testSeed } from '../long.ts'
import { dead, free } from './dead.ts'

// As many as fit; at least one for each must and should. `npm run prove` runs all.
const { PROOFS_SHARE = '0.001' } = process.env

test('a share of the proofs is green, and every must and should finds a fault', async () => {
  const start = join(root, 'selftest/prove/start.mjs')
  const argv = ['--share', PROOFS_SHARE, '--seed', `${testSeed}`]
  const child = spawn(process.execPath, [start, ...argv], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const said: string[] = []
  for await (const line of createInterface(child.stdout)) {
    said.push(line)
    process.stdout.write(`${line}\n`)
  }
  expect(await ended, said.join('\n')).toBe(0)
}, 1_200_000)

test('every exemption of dead things matches one', () => {
  for (const glob of Object.keys(free))
    expect(
      dead.filter(({ name }) => matchesAny(name, [glob])),
      glob,
    ).not.toEqual([])
})
