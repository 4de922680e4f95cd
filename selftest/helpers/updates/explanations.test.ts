import { expect, test } from 'vitest'
import { faults } from '../../proofs/areas/all.ts'
import { disagreeingIn, unborneIn } from '../../proofs/borne-out.ts'
import { runClauses } from '../../proofs/prove.ts'

const asked = ['assign.*-to-*', 'assign.unassign-*', 'assign.persisted', 'assign.new-version']

// Every proof of a fault asks the same of all its sentences.
test('where updates are answered and none is stored, each card says that the read shows the task as before', async () => {
  const fault = faults.find(({ name }) => name === 'updates are answered, and none is stored')
  const checked = await runClauses(fault ?? {}, asked)
  const cards = new Map(checked.report?.clauses.map(({ id, breaches = [] }) => [id, breaches]))
  expect(unborneIn(checked)).toEqual([])
  for (const id of ['assign.unassigned-to-team', 'assign.persisted']) {
    const said = cards.get(id)?.map(({ sentence }) => sentence)
    expect(said?.join()).toMatch(/the read after it still shows the assignment before it, null/)
  }
  expect(
    [...cards.values()]
      .flat()
      .map(({ sentence }) => sentence)
      .join(),
  ).not.toMatch(/somebody else|another writer|overw|with the same version|If-Match/)
}, 120_000)

test.each([
  ['PUT /tasks/1/update-assignment answered 409', 'PUT /tasks/1/update-assignment answered 409'],
  ['the assignment before it, null', 'what was there before'],
  ['2 updates with the same If-Match', 'another update with its If-Match'],
])(
  'a sentence that its exchanges do not bear out is found: %s',
  async (sentence, what) => {
    const { report } = await runClauses({}, ['assign.persisted'])
    const clauses = (report?.clauses ?? []).map((each) => {
      const judged = each.evidence.slice(-1).map(({ exchange }) => exchange)
      const breach = { sentence, expected: '', got: '', judged, control: [] }
      return { ...each, breaches: [breach] }
    })
    expect(unborneIn({ report: report && { ...report, clauses } })).toEqual([
      `assign.persisted does not show ${what}: ${sentence}`,
    ])
  },
  120_000,
)

test('two sentences that disagree on one task are found, in a card and in the verdict', () => {
  const of = (judged: number[], sentence: string) => ({ judged, sentence })
  const still = 'the read after it still shows the assignment before it, null'
  const changed = 'PUT /tasks/1/update-assignment answered 409, but the assignment changed'
  const found = (breaches: object[], more: object = {}) =>
    disagreeingIn({ clauses: [{ breaches }], reasons: [], residue: [], ...more } as never)
  expect(found([of([1], still), of([1, 2], changed)])).toEqual([
    `"${still}" and "${changed}" disagree`,
  ])
  expect(found([of([1], still), of([2], changed)])).toEqual([])
  const reason = 'not known to be put back: its response alone shows the task as found'
  const residue = [{ task: 'T1', reason }]
  expect(found([], { residue, reasons: ['task T1 could not be put back'] })).toHaveLength(1)
  expect(found([], { residue, reasons: ['task T2 could not be put back'] })).toEqual([])
})
