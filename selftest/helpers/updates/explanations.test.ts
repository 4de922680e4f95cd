import { expect, test } from 'vitest'
import { isObject } from '../../../engine/http/answers.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { parsed } from '../../../engine/parsed.ts'
import type { Breach, Report } from '../../../engine/run/report.ts'
import { raceOf } from '../../../reporting/parts/race.ts'
import { faults } from '../../proofs/areas/all.ts'
import { runClauses } from '../../proofs/prove.ts'

const asked = [
  'assign.*-to-*',
  'assign.unassign-*',
  'assign.persisted',
  'assign.new-version',
  'assign.comment.*',
]

const assignmentIn = ({ body = '' }: Exchange) => {
  const task = parsed(body)
  return isObject(task) ? task.assignment : undefined
}

/** What a sentence names, and the exchanges of its breach do not show. */
function unshownIn(breach: Breach, { exchanges }: Report): string[] {
  const { sentence, expected, got, judged, control, before = [] } = breach
  const named = (numbers: readonly number[]) =>
    exchanges.filter(({ number }) => numbers.includes(number))
  const all = named([...judged, ...control, ...before])
  const lines = all.map(({ method, path, status }) => `${method} ${path} responded ${status}`)
  const texts = all.map((each) => `${each.requestBody} ${each.body}`).join()
  const words = [sentence, expected, got].join(' ')
  const told = [...sentence.matchAll(/(GET|PUT) \S+ responded \d+/g)].map(([line]) => line)
  const values =
    words.match(/"Contract test[^"\\…]*"|[\da-f]{8}-[\da-f-]{27}|\d+-\d+-\w+:[\w:.]+/g) ?? []
  const [read] = named(judged)
  const [first] = named(before)
  const isAsBefore =
    read && first && JSON.stringify(assignmentIn(read)) === JSON.stringify(assignmentIn(first))
  return [
    ...told.filter((line) => !lines.includes(line)),
    ...values.filter((value) => !texts.includes(value) && !lines.join().includes(value)),
    ...(sentence.includes('before it') && !isAsBefore ? [sentence] : []),
    ...(raceOf(breach, { exchanges }) ? ['a race'] : []),
  ]
}

test.each([
  'updates are answered, and none is stored',
  'user-to-user is answered, and not stored',
  'the comment is answered, and not stored',
])(
  'where %s, no sentence says more than its exchanges show',
  async (name) => {
    const fault = faults.find((each) => each.name === name)
    const { report } = await runClauses(fault ?? {}, asked)
    const broken =
      report?.clauses.flatMap(({ id, breaches = [] }) => breaches.map((each) => ({ id, each }))) ??
      []
    expect(broken.map(({ id }) => id)).toContain('assign.persisted')
    for (const { id, each } of broken)
      expect({ id, ...each, unshown: unshownIn(each, report as Report) }).toMatchObject({
        unshown: [],
      })
    if (name.startsWith('updates'))
      expect(broken.map(({ each }) => each.sentence).join()).toMatch(
        /still shows the assignment before it, null, not TEAM /,
      )
  },
  120_000,
)
