import { expect, test } from 'vitest'
import { inThread } from '../../../engine/run/clause-thread.ts'
import type { Said } from '../../../engine/run/runner.ts'
import { contract } from '../toy/contract.ts'

/** What a thread says of the toy's clauses, and how to end it. */
function started() {
  const said: Said[] = []
  const provide = { selection: { clauses: [], required: [] } }
  const job = { entry: contract.entry, provide, listing: true }
  return { said, ...inThread(job, (each) => said.push(each)) }
}

test('clauses are listed in a thread, which then ends', async () => {
  const { said, done } = started()
  await done
  const ids = ['lamp.read', 'lamp.switch', 'lamp.key', 'lamp.colour']
  expect(said).toMatchObject([
    { says: 'collected', clauses: ids.map((id) => ({ id })), declared: ids, errors: [] },
  ])
})

test('a thread that is ended early says so', async () => {
  const early = started()
  early.cancel()
  early.terminate()
  await early.done
  const message = expect.stringMatching(
    /^the thread of the clauses ended before they did, with code /,
  )
  expect(early.said).toEqual([{ says: 'uncaught', error: { message } }])
})
