import { describe, expect, test } from 'vitest'
import { sampleOf } from '../sample.ts'
import { isRight, meet, meetings } from './meet.ts'

// All of them, one after another: node --import tsx selftest/third-service/meet.ts
const size = Number(process.env.MEETINGS ?? 2)
const seed = 13

describe('a service that was written from the contract alone', () => {
  test('has a name for each of its ways', () => {
    const names = meetings.map(({ name }) => name)
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([])
  })

  test.each(sampleOf(meetings, size, seed))('$kind: $name', { retry: 1 }, async (meeting) => {
    const met = await meet(meeting)
    expect(isRight(meeting, met), met.output).toBe(true)
  })
})
