import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted, type JsonObject } from '../engine/http/answers.ts'
import type { Observation } from '../engine/observation.ts'
import { clause } from '../helpers/clause.ts'
import { bodiesOf } from '../helpers/reads/readings.ts'
import { premise } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { nearVersions } from '../helpers/service/wrong-versions.ts'
import type { Attempt } from '../helpers/updates/attempt.ts'
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
  observed,
  pool,
  repeating,
  star,
  unassigns,
  withVersion,
  wrong,
  wrongUnassigns,
} from '../helpers/updates/versions.ts'

const section = 'Errors'

describe('Optimistic concurrency', () => {
  for (const [kind, [what, level]] of Object.entries(near)) {
    const statement = `answer 409 to an update whose If-Match is the current value ${what}`
    const law = level === 'must' ? { must: statement } : { should: statement }
    const [nearTo, update] = [nearVersions[kind as Near], nearUpdates[kind as Near]]
    const unassign = nearUnassigns[kind as Near]
    clause(
      `version.wrong.${kind}`,
      { ...law, section },
      async ({ attempts, taskReadings, session, note }) => {
        const first = await attempts.tryIn(pool, update)
        // Where the version of this task shows too little, that of another may show enough.
        const another = () => {
          const isLent = (id: string) =>
            session.known.tasks.some((task) => task.lendable && isSameId(task.id, id))
          const shows = ({ updated_at }: JsonObject) =>
            typeof updated_at === 'string' && nearTo(updated_at) !== undefined
          return bodiesOf(taskReadings).find(({ id, body }) => isLent(id) && shows(body))?.id
        }
        const other = nearTo(first.current) === undefined ? another() : undefined
        const { answer, current, decides } = other ? await attempts.tryOn(other, update) : first
        const sent = nearTo(current)
        premise(
          sent !== undefined,
          'data',
          `updated_at is ${current}, which shows too little of a second, or no zone, to be changed so`,
        )
        expect(answer).toHaveStatus(409, { decides })
        const beside = unassign && (await attempts.tryIn(pool, unassign))
        if (beside && nearTo(beside.current) !== undefined)
          expect(beside.answer).toHaveStatus(409, { decides: beside.decides })
        note(`${describeAnswer(answer)} to ${sent}, and ${current} was current`)
      },
    )
  }

  clause(
    'version.wrong.unassign',
    {
      must: 'answer 409 to an unassign whose If-Match never was the version',
      section,
    },
    async ({ attempts, note }) => {
      for (const update of Object.values(wrongUnassigns)) {
        const { answer, decides } = await attempts.tryIn(pool, update)
        expect(answer).toHaveStatus(409, { decides })
      }
      note(`${Object.keys(wrongUnassigns).length} of 3 answered 409`)
    },
  )

  clause(
    'version.wrong.other-task',
    { must: 'answer 409 to an update whose If-Match is the version of another task', section },
    async ({ attempts, service, taskReadings, session, note }) => {
      const { on, other, update } = await fetchOtherVersion(session.known, taskReadings, service)
      const { answer, decides } = await attempts.tryOn(on, update)
      expect(answer).toHaveStatus(409, { decides })
      note(`${describeAnswer(answer)} to the version of task ${other}`)
    },
  )

  clause(
    'version.wrong.repeated',
    {
      must: 'not accept a wrong If-Match, also where the update would change nothing, or is made in the name of the assignee',
      section,
      reading: 'an assignee who stays, or who assigns, may be refused for that',
    },
    async ({ attempts, note }) => {
      const answers = []
      for (const update of [repeating, byAssignee]) {
        const { answer, decides } = await attempts.tryIn(pool, update)
        if (isAccepted(answer)) expect(answer).toHaveStatus(409, { decides })
        answers.push(describeAnswer(answer))
      }
      note(answers.join(', '))
    },
  )

  clause(
    'version.required.unassign',
    { must: 'not carry out an unassign without If-Match', section: 'Update a task assignment' },
    async ({ attempts, note }) => {
      const tried = await attempts.tryIn(pool, unassigns.absent)
      expect(await attempts.carriedOut([tried])).toBeNone()
      note(`${describeAnswer(tried.answer)}, and reads show the assignment as before`)
    },
  )

  for (const [kind, update] of Object.entries(wrong))
    clause(
      `version.wrong.${kind}`,
      { must: `answer 409 to an update ${update.what}`, section },
      async ({ attempts, note }) => {
        const { answer, decides } = await attempts.try(update)
        expect(answer).toHaveStatus(409, { decides })
        note(describeAnswer(answer))
      },
    )

  clause(
    'version.wrong.garbage',
    {
      must: 'not carry out an update whose If-Match is no timestamp',
      section,
    },
    async ({ attempts, note }) => {
      const tried = [
        await attempts.try(garbage),
        await attempts.tryIn(pool, begun),
        await attempts.tryIn(pool, unassigns.garbage),
      ]
      expect(await attempts.carriedOut(tried)).toBeNone()
      const answers = tried.map(({ answer }) => describeAnswer(answer)).join(', ')
      note(`${answers}, and reads show the assignment as before`)
    },
  )

  clause(
    'version.wrong.garbage.status',
    { should: 'answer 409 to an If-Match that is no timestamp', section },
    async ({ attempts, note }) => {
      const update = await attempts.try(garbage)
      const unassign = await attempts.tryIn(pool, unassigns.garbage)
      for (const { answer, decides } of [update, unassign])
        expect(answer).toHaveStatus(409, { decides })
      note(describeAnswer(update.answer))
    },
  )

  clause(
    'version.required',
    {
      must: 'not carry out an update without If-Match',
      section: 'Update a task assignment',
    },
    async ({ attempts, people, note }) => {
      const tried = await attempts.try(absent)
      // Not in the pool: that needs unassigns to be accepted too.
      const isTeam = people.some(({ type }) => type === 'TEAM')
      const toTeam = isTeam ? [await attempts.try(absentToTeam)] : []
      expect(await attempts.carriedOut([tried, ...toTeam])).toBeNone()
      note(`${describeAnswer(tried.answer)}, and reads show the assignment as before`)
    },
  )

  clause(
    'version.star',
    { should: 'answer 409 to If-Match: *, which is not the current value', section },
    async ({ attempts, note }) => {
      const update = await attempts.try(star)
      const unassign = await attempts.tryIn(pool, unassigns.star)
      for (const { answer, decides } of [update, unassign])
        expect(answer).toHaveStatus(409, { decides })
      note(describeAnswer(update.answer))
    },
  )

  const forms: Record<string, { observe: string; update: Attempt }> = {
    'missing-status': { observe: 'how an update without If-Match is refused', update: absent },
    quoted: {
      observe: 'whether If-Match is taken in quotes',
      update: observed('whose If-Match is in quotes', (version) => `"${version}"`),
    },
    weak: {
      observe: 'whether If-Match is taken as a weak validator',
      update: observed('whose If-Match is weak', (version) => `W/"${version}"`),
    },
    case: {
      observe: 'whether If-Match is taken in another letter case',
      update: observed('whose If-Match is in lower case', (version) => version.toLowerCase()),
    },
    offset: {
      observe: 'whether If-Match is taken with +00:00 in place of Z, or the reverse',
      update: observed('whose If-Match has the other form of the zone', (version) =>
        /z$/i.test(version)
          ? version.replace(/z$/i, '+00:00')
          : version.replace(/[+-]00:?00$/, 'Z'),
      ),
    },
    whitespace: {
      observe: 'whether If-Match is taken with a space inside',
      update: withVersion('whose If-Match has a space inside', (version) =>
        version.replace(/[Tt]/, (letter) => ` ${letter}`),
      ),
    },
  }
  for (const [kind, { observe, update }] of Object.entries(forms))
    clause(`version.${kind}`, { observe, section }, async ({ attempts }): Promise<Observation> => {
      const { answer } = await attempts.try(update)
      return isAccepted(answer) ? 'accepted' : answer.status
    })
})
