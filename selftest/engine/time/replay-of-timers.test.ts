import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endTape, startTape } from '../../../engine/http/record/tape.ts'
import { inThread } from '../../../engine/run/clause-thread.ts'
import { pause } from '../../../engine/time/abort.ts'
import { depart } from '../../../engine/time/entering.ts'
import { clock } from '../../../engine/time/timers.ts'
import { openTestFolder } from '../../test-end.ts'

/** Two steps, each with a limit, as requests are sent; returns which limits rang. */
async function steps(mode: 'record' | 'replay', dir: string, before: () => void) {
  startTape({ mode, dir, name: 'main', secrets: [] })
  const rang: number[] = []
  for (const ms of [2, 3]) {
    before()
    const limit = clock.setTimeout(() => void rang.push(ms), 5000)
    await pause(ms, new AbortController().signal)
    clock.clear(limit)
  }
  return { rang, departed: endTape() }
}

const aPause = () => void clock.setTimeout(() => {}, 60_000).unref()

test.each([
  ['one turn of the event loop more', () => {}, () => clock.setImmediate(() => {})],
  ['one pause more', () => {}, aPause],
  ['one pause less', aPause, () => {}],
])('%s rings no limit of a replay', async (_, then, now) => {
  const dir = openTestFolder()
  await steps('record', dir, then)
  expect(await steps('replay', dir, now)).toEqual({ rang: [], departed: undefined })
})

test('no limit of a run rings while the thread of its clauses ends', async () => {
  const dir = openTestFolder()
  const entry = join(dir, 'no-clauses.mjs')
  writeFileSync(entry, '')
  await steps('record', dir, () => {})
  startTape({ mode: 'replay', dir, name: 'main', secrets: [] })
  const rang: string[] = []
  clock.setTimeout(() => void rang.push('the limit of the run'), 1_800_000)
  depart('it asks for something else')
  await inThread({ entry, provide: {} }, () => {}).done
  endTape()
  expect(rang).toEqual([])
})
