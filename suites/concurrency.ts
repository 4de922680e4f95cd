import { describe } from 'vitest'
import { expect, expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import { shown } from '../engine/shown.ts'
import { clause } from '../helpers/clause.ts'
import { premise } from '../helpers/service/answers.ts'
import { isSameButSpelling } from '../helpers/service/assignments.ts'
import { ForeignChange } from '../helpers/service/foreign-change.ts'
import { problemsOfHistory, writeHistory } from '../helpers/updates/history.ts'
import { walkTheModel } from '../helpers/updates/model.ts'
import { overlapOf, type Rivalry, raceOnce, rounds } from '../helpers/updates/race.ts'
import { changedBy, type StaleStory } from '../helpers/updates/stale-update.ts'
import { absent, aYearAhead, withVersion, wrongVersions } from '../helpers/updates/versions.ts'

const section = 'Errors'

const wrong = {
  near: withVersion('whose If-Match differs in the last digit', wrongVersions.near),
  older: withVersion('whose If-Match is a year older', wrongVersions.older),
  future: aYearAhead,
}
const garbage = withVersion('whose If-Match is no timestamp', () => 'not-a-version')
const star = withVersion('whose If-Match is *', () => '*')

/** The refusals of stale updates after which the assignment was the one they asked for. */
const changedIn = (story: StaleStory) =>
  (['reassign', 'unassign', 'assign'] as const).flatMap((kind) => {
    const { answer } = story[kind]
    const changed = answer.status === 409 ? changedBy(story[kind]) : undefined
    if (changed === undefined) return []
    return [[kind, `${describeAnswer(answer)}, then the assignment is ${shown(changed)}`] as const]
  })

describe('Optimistic concurrency', () => {
  for (const kind of ['assign', 'reassign', 'unassign'] as const)
    clause(
      `version.stale.${kind}`,
      { must: `answer 409 to a stale If-Match on ${kind}`, section },
      async ({ stale }) => {
        expect(stale[kind].answer).toHaveStatus(409)
      },
    )

  for (const [kind, update] of Object.entries(wrong))
    clause(
      `version.wrong.${kind}`,
      { must: `answer 409 to an update ${update.what}`, section },
      async ({ refusedUpdates }) => {
        expect((await refusedUpdates.try(update)).answer).toHaveStatus(409)
      },
    )

  clause(
    'version.wrong.garbage',
    { must: 'not carry out an update whose If-Match is no timestamp', section },
    async ({ refusedUpdates }) => {
      expect(await refusedUpdates.carriedOut([await refusedUpdates.try(garbage)])).toBeNone()
    },
  )

  clause(
    'version.wrong.garbage.status',
    { should: 'answer 409 to an If-Match that is no timestamp', section },
    async ({ refusedUpdates }) => {
      expect((await refusedUpdates.try(garbage)).answer).toHaveStatus(409)
    },
  )

  clause(
    'version.refused-changes-nothing',
    { must: 'leave the assignment as it was after a 409', section },
    async ({ stale }) => {
      const refused = [stale.reassign, stale.unassign, stale.assign].filter(
        ({ answer }) => answer.status === 409,
      )
      premise(refused.length > 0, 'no stale update was answered 409: see version.stale.*')
      const once = changedIn(stale)
      if (once.length === 0) return
      // Somebody else may have made this very change: it is held against the service if it comes again.
      const again = changedIn(await stale.again())
      const changed = once.filter(([kind]) => again.some(([other]) => other === kind))
      if (changed.length === 0) throw new ForeignChange()
      expect(changed.map(([, sentence]) => sentence)).toBeNone()
    },
  )

  clause(
    'version.refused-changes-nothing.version',
    { should: 'leave updated_at as it was after a 409', section },
    async ({ stale }) => {
      const refused = [stale.reassign, stale.unassign, stale.assign].filter(
        ({ answer, restless, before, after }) =>
          answer.status === 409 &&
          !restless &&
          isSameButSpelling(before.assignment, after.assignment),
      )
      premise(refused.length > 0, 'no 409, or a task that changes otherwise')
      const changed = refused.filter(({ before, after }) => before.updated_at !== after.updated_at)
      expect(
        changed.length < refused.length
          ? []
          : changed.map(({ answer }) => `${describeAnswer(answer)}, and updated_at is new`),
      ).toBeNone()
    },
  )

  clause(
    'version.required',
    { must: 'not carry out an update without If-Match', section: 'Update a task assignment' },
    async ({ refusedUpdates }) => {
      expect(await refusedUpdates.carriedOut([await refusedUpdates.try(absent)])).toBeNone()
    },
  )

  clause(
    'version.retry',
    { must: 'accept the update with the latest updated_at after a 409', section },
    async ({ stale }) => {
      premise(
        stale.unassign.answer.status === 409,
        `${describeAnswer(stale.unassign.answer)}: see version.stale`,
      )
      expect(stale.retry).toBeAccepted()
    },
  )

  clause(
    'version.one-winner',
    {
      must: 'accept at most one of several simultaneous updates with one If-Match, refuse the others with 409, and store the winner’s assignment',
      section: 'Versioning',
    },
    async ({ service, borrowed, journey, actor, people, settings, evidence, random, note }) => {
      const writers = Math.min(6, settings.concurrency)
      premise(writers > 1, 'CONCURRENCY is 1: no two updates can be sent at once')
      const taken = await journey.accepted('transitions')
      const unassigns = taken.filter(({ sent }) => sent.to === null)
      const mayComment = unassigns.some(({ sent, answer }) => sent.comment && isAccepted(answer))
      const overlaps: number[] = []
      const race = async (rivalry: Rivalry) => {
        const from = evidence.length
        const name = `Contract test, please ignore ${random.string.alphanumeric(8)}`
        const plan = { actor, writers, name, rivalry, mayComment }
        const seen = await raceOnce(borrowed, service, people, plan)
        overlaps.push(overlapOf(evidence.slice(from).filter(({ method }) => method === 'PUT')))
        return seen
      }
      const mayUnassign = unassigns.length > 0
      for await (const { winners, refused, stored, settled, idle } of rounds(race, {
        mayUnassign,
      })) {
        expectThat(
          winners.length <= 1 || idle,
          `${winners.length} of ${writers} simultaneous updates with one If-Match were accepted`,
        )
        const others = refused.filter((status) => status !== 409)
        expect(others.map((status) => `a loser was answered ${status}, not 409`)).toBeNone()
        const [winner] = winners
        if (winner && settled)
          expectThat(
            isSameButSpelling(stored, winner.assignment),
            `${shown(winner.assignment)} won, and ${shown(stored)} is stored`,
          )
      }
      note(
        `${writers} writers in ${overlaps.length} rounds; under way at one moment: ${overlaps.join(', ')}`,
      )
    },
  )

  clause(
    'version.history',
    {
      must: 'accept no two of many concurrent updates on one version, and lose none',
      section: 'Versioning',
    },
    async ({ service, borrowed, actor, people, random, settings, note }) => {
      const { history, last } = await writeHistory(borrowed, service, people, {
        actor,
        clients: Math.min(4, settings.concurrency),
        updates: 2,
        random,
      })
      const count = (outcome: string) => history.filter((each) => each.outcome === outcome).length
      premise(count('accepted') > 0, 'none of the updates was accepted')
      expect(problemsOfHistory(history, last)).toBeNone()
      note(
        `${count('accepted')} accepted, ${count('refused')} refused, ${count('unknown')} unknown`,
      )
    },
  )

  clause(
    'version.model',
    {
      must: 'follow the table of transitions on any walk of updates, stale and invalid requests',
      section: 'States and transitions',
    },
    async ({ service, borrowed, actor, people, settings, note }) => {
      note(await walkTheModel(borrowed, service, people, { actor, settings }))
    },
  )

  clause(
    'version.star',
    { should: 'answer 409 to If-Match: *, which is not the current value', section },
    async ({ refusedUpdates }) => {
      expect((await refusedUpdates.try(star)).answer).toHaveStatus(409)
    },
  )
})
