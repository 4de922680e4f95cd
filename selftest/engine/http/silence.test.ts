import { describe, expect, test } from 'vitest'
import { watchSilences } from '../../../engine/http/circuits/silence.ts'
import type { Trouble } from '../../../engine/outcome.ts'

const updates = { name: 'updates', isFile: false }
const csv = { name: 'exports as CSV', isFile: true }
const pdf = { name: 'exports as PDF', isFile: true }
const calm = new AbortController().signal

function watched() {
  const clock = { ms: 0 }
  const silences = watchSilences(() => clock.ms)
  const ended: string[] = []
  const take = (kind: typeof updates) =>
    silences.take(kind, ({ message }: Trouble) => ended.push(message), calm)
  const leave = async (kind: typeof updates, times = 1) => {
    for (let i = 0; i < times; i += 1) (await take(kind)).unanswered('no response within 10 s')
  }
  return { clock, take, leave, ended }
}

const silent =
  /^the service stopped responding to updates at [\d:]{8} UTC \(no response within 10 s\)$/

describe('requests of one kind', () => {
  test('that were left unanswered three times in a row are sent no more, others are', async () => {
    const { take, leave } = watched()
    await leave(updates, 2)
    ;(await take(updates)).answered()
    await leave(updates, 3)
    // One request tries again; the next one waits for it.
    const trial = await take(updates)
    const waiting = expect(take(updates)).rejects.toThrow(silent)
    trial.unanswered('no response within 10 s')
    await waiting
    await expect(take(updates)).rejects.toThrow(silent)
    ;(await take({ name: 'reads', isFile: false })).answered()
  })

  test('continue while others of the kind are answered: their content is the reason', async () => {
    const { take } = watched()
    for (let time = 1; time <= 5; time += 1) {
      const hanging = await take(updates)
      ;(await take(updates)).answered()
      hanging.unanswered('no response within 10 s')
    }
    await take(updates)
  })

  test('are tried again less and less often, and go on once one is answered', async () => {
    const { clock, take, leave } = watched()
    await leave(updates, 4)
    clock.ms = 14_000
    await expect(take(updates)).rejects.toThrow(silent)
    clock.ms = 15_000
    await leave(updates)
    clock.ms = 44_000
    await expect(take(updates)).rejects.toThrow(silent)
    clock.ms = 45_000
    const trial = await take(updates)
    const waiting = take(updates)
    trial.answered()
    ;(await waiting).answered()
  })
})

describe('files', () => {
  test('the first timeout decides for the others, those under way too', async () => {
    const { take, leave, ended } = watched()
    ;(await take(csv)).answered()
    ;(await take(pdf)).answered()
    await take(csv)
    const begun = await take(csv)
    begun.headed()
    await leave(csv)
    expect(ended).toHaveLength(1)
    await expect(take(csv)).rejects.toThrow('stopped responding to exports as CSV')
    ;(await take(pdf)).answered()
  })

  test('of any format, if none came at all', async () => {
    const { take, leave } = watched()
    await leave(csv)
    await expect(take(pdf)).rejects.toThrow('stopped responding to exports as CSV')
  })

  test('not if others of its kind came meanwhile, up to twice', async () => {
    const { take } = watched()
    ;(await take(csv)).answered()
    for (let time = 1; time <= 3; time += 1) {
      const slow = await take(csv)
      ;(await take(csv)).answered()
      slow.unanswered('no response within 60 s')
    }
    await expect(take(csv)).rejects.toThrow('stopped responding')
  })
})
