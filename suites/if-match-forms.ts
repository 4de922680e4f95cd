import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import { clausesOf } from '../helpers/clause.ts'
import { bodiesOf, type Came } from '../helpers/reads/readings.ts'
import { premise } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { nearVersions } from '../helpers/service/wrong-versions.ts'
import type { Attempt, AttemptResult } from '../helpers/updates/attempt.ts'
import { type Attempts, expectNotCarriedOut } from '../helpers/updates/attempts.ts'
import {
  absent,
  absentToTeam,
  begun,
  byAssignee,
  fetchOtherVersion,
  garbage,
  type Near,
  near,
  nearUnassigns,
  nearUpdates,
  pool,
  repeating,
  star,
  unassigns,
  withVersion,
  wrong,
  wrongUnassigns,
} from '../helpers/updates/versions.ts'

const clause = clausesOf({ title: 'Optimistic concurrency', section: 'Errors' })

for (const [kind, [what, level]] of Object.entries(near)) {
  const statement = `answer 409 to an update whose If-Match is the current value ${what}`
  const law = level === 'must' ? { must: statement } : { should: statement }
  const [nearTo, update] = [nearVersions[kind as Near], nearUpdates[kind as Near]]
  const unassign = nearUnassigns[kind as Near]
  clause(
    `version.wrong.${kind}`,
    law,
  )(async ({ attempts, taskReadings, session, note }) => {
    const first = await attempts.tryIn(pool, update)
    // If the version of this task shows too little, another task's may show enough.
    const isLent = (id: string) =>
      session.known.tasks.some((task) => task.lendable && isSameId(task.id, id))
    const shows = ({ id, body: { updated_at } }: Came) =>
      isLent(id) && typeof updated_at === 'string' && nearTo(updated_at) !== undefined
    const isShort = nearTo(first.before.updated_at) === undefined
    const other = isShort ? bodiesOf(taskReadings).find(shows)?.id : undefined
    const { answer, before, decides } = other ? await attempts.tryOn(other, update) : first
    const current = before.updated_at
    const sent = nearTo(current)
    premise(
      sent !== undefined,
      'data',
      `updated_at is ${current}, which shows too little of a second, or no zone, to be changed so`,
    )
    expect(answer).toHaveStatus(409, { decides })
    const beside = unassign && (await attempts.tryIn(pool, unassign))
    if (beside && nearTo(beside.before.updated_at) !== undefined) expectMismatch(beside)
    note(`${describeAnswer(answer)} to ${sent}, and ${current} was current`)
  })
}

clause('version.wrong.unassign', {
  must: 'answer 409 to an unassign whose If-Match never was the version',
})(async ({ attempts, note }) => {
  for (const update of Object.values(wrongUnassigns))
    expectMismatch(await attempts.tryIn(pool, update))
  note(`${Object.keys(wrongUnassigns).length} of 3 answered 409`)
})

clause('version.wrong.other-task', {
  must: 'answer 409 to an update whose If-Match is the version of another task',
})(async ({ attempts, service, taskReadings, session, note }) => {
  const { on, other, update } = await fetchOtherVersion(session.known, taskReadings, service)
  const answered = expectMismatch(await attempts.tryOn(on, update))
  note(`${answered} to the version of task ${other}`)
})

clause('version.wrong.repeated', {
  must: 'not accept a wrong If-Match, also where the update would change nothing, or is made in the name of the assignee',
  reading: 'an assignee who stays, or who assigns, may be refused for that',
})(async ({ attempts, note }) => {
  const answers = []
  for (const update of [repeating, byAssignee]) {
    const { answer, decides } = await attempts.tryIn(pool, update)
    if (isAccepted(answer)) expect(answer).toHaveStatus(409, { decides })
    answers.push(describeAnswer(answer))
  }
  note(answers.join(', '))
})

clause('version.required.unassign', {
  must: 'not carry out an unassign without If-Match',
  section: 'Update a task assignment',
})(async ({ attempts, note }) =>
  note(await expectNotCarriedOut(attempts, [await attempts.tryIn(pool, unassigns.absent)])),
)

for (const [kind, update] of Object.entries(wrong))
  clause(`version.wrong.${kind}`, {
    must: `answer 409 to an update ${update.what}`,
  })(async ({ attempts, note }) => note(expectMismatch(await attempts.try(update))))

clause('version.wrong.garbage', {
  must: 'not carry out an update whose If-Match is no timestamp',
})(async ({ attempts, note }) => {
  const updates = [await attempts.try(garbage), await attempts.tryIn(pool, begun)]
  const unassign = await attempts.tryIn(pool, unassigns.garbage)
  note(await expectNotCarriedOut(attempts, [...updates, unassign]))
})

clause('version.wrong.garbage.status', {
  should: 'answer 409 to an If-Match that is no timestamp',
})(async ({ attempts, note }) => {
  const [update, unassign] = [
    await attempts.try(garbage),
    await attempts.tryIn(pool, unassigns.garbage),
  ]
  note(expectMismatch(update, unassign))
})

clause('version.required', {
  must: 'not carry out an update without If-Match',
  section: 'Update a task assignment',
})(async ({ attempts, people, note }) => {
  const update = await attempts.try(absent)
  // Not in the pool: that also needs accepted unassigns.
  const isTeam = people.some(({ type }) => type === 'TEAM')
  const toTeam = isTeam ? [await attempts.try(absentToTeam)] : []
  note(await expectNotCarriedOut(attempts, [update, ...toTeam]))
})

clause('version.star', {
  should: 'answer 409 to If-Match: *, which is not the current value',
})(async ({ attempts, note }) => {
  const [update, unassign] = [await attempts.try(star), await attempts.tryIn(pool, unassigns.star)]
  note(expectMismatch(update, unassign))
})

clause('version.missing-status', {
  observe: 'how an update without If-Match is refused',
})(({ attempts }) => statusTo(attempts, absent))

clause('version.quoted', {
  observe: 'whether If-Match is taken in quotes',
})(({ attempts }) => statusOf(attempts, 'whose If-Match is in quotes', (version) => `"${version}"`))

clause('version.weak', {
  observe: 'whether If-Match is taken as a weak validator',
})(({ attempts }) => statusOf(attempts, 'whose If-Match is weak', (version) => `W/"${version}"`))

clause('version.case', {
  observe: 'whether If-Match is taken in another letter case',
})(({ attempts }) =>
  statusOf(attempts, 'whose If-Match is in lower case', (version) => version.toLowerCase()),
)

clause('version.offset', {
  observe: 'whether If-Match is taken with +00:00 in place of Z, or the reverse',
})(({ attempts }) =>
  statusOf(attempts, 'whose If-Match has the other form of the zone', (version) =>
    /z$/i.test(version) ? version.replace(/z$/i, '+00:00') : version.replace(/[+-]00:?00$/, 'Z'),
  ),
)

clause('version.whitespace', {
  observe: 'whether If-Match is taken with a space inside',
})(({ attempts }) => {
  const spaced = (version: string) => version.replace(/[Tt]/, (letter) => ` ${letter}`)
  return statusTo(attempts, withVersion('whose If-Match has a space inside', spaced))
})

function expectMismatch(...tried: [AttemptResult, ...AttemptResult[]]): string {
  for (const { answer, decides } of tried) expect(answer).toHaveStatus(409, { decides })
  return describeAnswer(tried[0].answer)
}

async function statusTo(attempts: Attempts, update: Attempt): Promise<number | string> {
  const { answer } = await attempts.try(update)
  return isAccepted(answer) ? 'accepted' : answer.status
}

/** The same for a version that a service may read as the current one. */
const statusOf = (attempts: Attempts, what: string, version: Attempt['version']) =>
  statusTo(attempts, { ...withVersion(what, version), on: 'unassigned', isObserved: true })
