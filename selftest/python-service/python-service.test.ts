import { describe, expect, test } from 'vitest'
import { sampleOf } from '../sample.ts'
import { hasPython, isRight, meet, meetings } from './meet.ts'

// `npm test` meets one of them, `npm run prove` all.
const size = process.env.PROVE === 'everything' ? Number.POSITIVE_INFINITY : 1
const seed = 5

// Observed, and neither a must nor a should: clauses.md lists them so.
const observed = ['mail-twice', 'event-twice']

if (!hasPython()) {
  process.stderr.write('notice: no python3 (3.11 or newer): the service in Python is not tested\n')
}

describe.skipIf(!hasPython())('a service in another language', () => {
  const all = hasPython() ? meetings().filter(({ name }) => !observed.includes(name)) : []

  test('has a name for each of its ways', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })

  test.each(sampleOf(all, size, seed))('$kind: $name', { retry: 1 }, async (meeting) => {
    const met = await meet(meeting)
    expect(isRight(meeting, met), met.output).toBe(true)
  })
})
