import { expect, test } from 'vitest'
import { collectClauses } from '../../program/clauses.ts'
import { bendsOfBreaches, breakable } from '../../reference/learn/breaches.ts'
import { whyNotBroken } from '../../reference/learn/not-broken.ts'
import { twoDays } from '../proofs/bent/few-events.ts'
import type { Bent } from '../proofs/fault.ts'
import { brokenIn, runAgainst } from '../proofs/prove.ts'
import { sampleOf } from '../sample.ts'

const all = [...breakable].toSorted()
// All of them: PROVE=areas.
const tried = process.env.PROVE ? all : sampleOf(all, 4, 1)

/** Without an update there is no event that has to be in the file. */
const ofOneFile = {
  bent: { events: 24, env: { AUDIT_WAIT_S: '1' } },
  beside: ['assign.user-to-user'],
}
/** A range in which there are few of all events. */
const ofNarrowing = { bent: { events: 6_600, env: twoDays }, beside: [] }
const ofOthers = { bent: { events: 1_200, pdfLimit: 300 }, beside: [] }

function aroundOf(id: string): { bent: Bent; beside: string[] } {
  if (id === 'export.csv.readable') return ofOneFile
  return id.endsWith('.narrows') ? ofNarrowing : ofOthers
}

const options = { timeout: 120_000, retry: 1 }

test.each(tried)('%s is broken by the rules that imitate it', options, async (id) => {
  const { bent, beside } = aroundOf(id)
  const clauses = [id, ...beside].join()
  const checked = await runAgainst({ ...bent, ...bendsOfBreaches([id]) }, ['--clauses', clauses])
  expect(brokenIn(checked), checked.output).toContain(id)
})

test('every clause that judges can be broken, or has a reason why not', options, async () => {
  const judging = (await collectClauses()).filter(({ level }) => level !== 'observe')
  const ids = judging.map(({ id }) => id)
  expect(all.filter((id) => !ids.includes(id))).toEqual([])
  const isOpen = (id: string) => !breakable.has(id) && whyNotBroken(id) === undefined
  expect(ids.filter(isOpen)).toEqual([])
})
