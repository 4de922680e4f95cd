import { describe, expect, test } from 'vitest'
import { catalogue, mixtureOf } from './catalogue.ts'
import { observingOnly } from './learn-and-compare.ts'
import { createMeasure } from './measure.ts'

// All of them: npm run learned.
// A run beside others can miss its time.
const options = { timeout: 300_000, retry: 1 }

describe('a mock that is learned from the report of a service', options, () => {
  test.each([3])('does as a mixture of lawful choices does, by seed %i', async (seed) => {
    const mixture = mixtureOf(seed)
    expect(mixture.parts.length).toBeGreaterThanOrEqual(5)
    const measured = await createMeasure(observingOnly).bent(mixture)
    expect(measured.before, mixture.parts.join('\n')).toBeGreaterThan(5)
    expect(measured.stays, mixture.parts.join('\n')).toEqual([])
    expect(measured.compared / measured.decided).toBeGreaterThan(0.95)
  })

  test('is measured by every variant once', () => {
    expect(catalogue.length).toBeGreaterThan(200)
  })
})
