import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cleanEnv } from '../clean-env.ts'
import { root } from '../kept.ts'
import { mark, type Order, type Told } from './order.ts'

export type Ended = Extract<Told, { says: 'ends' }>

/** What a process of vitest did; `late` is a step that did not end in its time, `isOver` says that all of it is over. */
export type Worked = { ended: Ended[]; late?: string; isOver: boolean; output: string }

export type Patience = {
  /** of all steps together, with the start */
  ms: number
  /** of one step */
  msOf(step: string): number
}

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const config = join(root, 'selftest/lines/vitest.config.ts')

/** Has one process of vitest do what an order says, and ends it where it takes too long. */
export async function runOrder(
  order: Order,
  patience: Patience,
  heard: (ended: Ended) => void = () => {},
): Promise<Worked> {
  const folder = mkdtempSync(join(tmpdir(), 'lines-'))
  const file = join(folder, 'order.json')
  writeFileSync(file, JSON.stringify(order))
  const child = spawn(process.execPath, [vitest, 'run', '--config', config], {
    cwd: root,
    // No test of ours may hear what the tests around it are run with.
    env: { ...cleanEnv(), LINES: file },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const worked: Worked = { ended: [], isOver: false, output: '' }
  let step = ''
  const end = () => {
    // With the threads and processes of its tests, which are its group.
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  // A group of its own hears no Ctrl-C.
  process.once('exit', end)
  const giveUp = () => {
    worked.late = step
    end()
  }
  const whole = setTimeout(() => {
    worked.isOver = true
    end()
  }, patience.ms)
  let one: NodeJS.Timeout | undefined
  const hear = (text: string) => {
    if (!text.startsWith(mark)) {
      worked.output = `${worked.output}${text}\n`.slice(-20_000)
      return
    }
    const told = JSON.parse(text.slice(mark.length)) as Told
    clearTimeout(one)
    if (told.says === 'begins') {
      step = told.step
      one = setTimeout(giveUp, patience.msOf(step))
    } else {
      worked.ended.push(told)
      heard(told)
    }
  }
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', hear)
  await new Promise((resolve) => child.on('close', resolve))
  process.off('exit', end)
  clearTimeout(whole)
  clearTimeout(one)
  rmSync(folder, { recursive: true, force: true })
  return worked
}
