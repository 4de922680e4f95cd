import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { isOwed } from '../../engine/run/report.ts'
import { commitOf, createKept, product } from '../kept.ts'
import { atTestEnd } from '../test-end.ts'
import { comparingOf, flipsIn, unsettledShare } from './flips.ts'
import { pageOf } from './page.ts'
import { type Sight, sightOf } from './sight.ts'
import { manners, type Target, targets } from './targets.ts'

// `npm run steady` meets every target in every manner, and goes on where it stopped; `npm test` meets the
// embedded service twice. STEADY=NAME takes the targets whose name holds that.
const { STEADY } = process.env
const isWhole = STEADY === 'everything'
const chosen =
  STEADY === undefined
    ? targets.slice(0, 1)
    : targets.filter(({ name }) => isWhole || name.includes(STEADY))
const chosenManners =
  STEADY === undefined ? manners.filter(({ seed }) => [1, 9].includes(seed)) : manners

const commit = commitOf(...product, 'selftest/steady')
const kept = createKept<Sight>('steady.jsonl')
const earlier = STEADY === undefined ? [] : kept.read().filter((each) => each.commit === commit)
const seen = new Map<string, Sight[]>()
for (const sight of earlier) seen.set(sight.target, [...(seen.get(sight.target) ?? []), sight])

/** Two threads that compute all the time. */
function keepBusy() {
  const threads = [1, 2].map(() => new Worker('for (;;);', { eval: true }))
  atTestEnd(() => Promise.all(threads.map((thread) => thread.terminate())))
}

/** A target that was there all the time ends with 0, another with 0 or 3; nothing is held against it. */
function expectCalm({ disturbed }: Target, { exitCode, clauses, reasons }: Sight) {
  const held = clauses.filter(({ verdict }) => verdict === 'fail')
  expect(held.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
  expect(disturbed ? [0, 3] : [0], reasons.join('\n')).toContain(exitCode)
}

describe.concurrent('a run in another manner on one unchanged service', {
  timeout: 900_000,
}, () => {
  for (const target of chosen)
    for (const manner of chosenManners)
      test(`${target.name}: ${manner.name}`, async ({ skip }) => {
        const before = seen.get(target.name) ?? []
        skip(
          before.some((each) => each.manner === manner.name),
          'met before',
        )
        if (manner.busy) keepBusy()
        const at = performance.now()
        const checked = await target.run(manner)
        const seconds = (performance.now() - at) / 1000
        const sight = sightOf(checked, {
          commit,
          target: target.name,
          manner: manner.name,
          seconds,
        })
        seen.set(target.name, [...(seen.get(target.name) ?? []), sight])
        if (STEADY !== undefined) kept.keep(sight)
        expectCalm(target, sight)
        expect(checked.report?.residue.filter(isOwed), checked.output).toEqual([])
      })
})

// Those above are concurrent and these are not: they come after them.
describe('over all runs of a target', () => {
  for (const target of chosen)
    test(`${target.name}: no clause flips`, () => {
      const sights = seen.get(target.name) ?? []
      expect(flipsIn(sights, comparingOf(target))).toEqual([])
      if (!target.disturbed) expect(unsettledShare(sights)).toBeLessThanOrEqual(0.002)
    })

  test.runIf(isWhole)('the page is written', () => {
    const met = targets.flatMap((target) => {
      const sights = seen.get(target.name)
      return sights ? [{ target, sights }] : []
    })
    writeFileSync(join(import.meta.dirname, '../../reports/steady.md'), `${pageOf(met, commit)}\n`)
  })
})
