import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import type { Observation } from '../engine/observation.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { clause } from '../helpers/clause.ts'
import { premise } from '../helpers/service/answers.ts'
import { nearVersions, wrongVersions } from '../helpers/service/wrong-versions.ts'
import { tryCurrentVersions } from '../helpers/updates/current-accepted.ts'
import type { Pool } from '../helpers/updates/pooled-updates.ts'
import type { RefusedUpdate } from '../helpers/updates/refused-update.ts'
import { acceptedOf } from '../helpers/updates/step.ts'
import { fetchMismatch } from '../helpers/updates/unanswered.ts'
import { absent, aYearAhead, withVersion } from '../helpers/updates/versions.ts'

const section = 'Errors'

const wrong = {
  near: withVersion('whose If-Match differs in the last digit', wrongVersions.near),
  older: withVersion('whose If-Match is a year older', wrongVersions.older),
  future: aYearAhead,
}
const garbage = withVersion('whose If-Match is no timestamp', () => 'not-a-version')
const star = withVersion('whose If-Match is *', () => '*')

/** Texts near the current version, each of another instant: what it is, and the level of the sentence. */
const near = {
  cut: ['without its fraction of a second', 'must'],
  shorter: ['with one digit of its fraction left out', 'must'],
  zone: ['with the same digits in another zone', 'must'],
  finer: ['later by less than it shows', 'should'],
  padded: ['with letters around it', 'should'],
} as const

type Near = keyof typeof near

const nearUpdates = Object.fromEntries(
  Object.entries(near).map(([kind, [what]]) => [
    kind,
    // What shows no fraction has none to change: one that is wrong in any case stands in its place.
    withVersion(
      `whose If-Match is the current one ${what}`,
      (version) => nearVersions[kind as Near](version) ?? wrongVersions.older(version),
    ),
  ]),
) as Record<Near, RefusedUpdate>

const unassigning = (
  what: string,
  version: NonNullable<RefusedUpdate['version']>,
): RefusedUpdate => ({
  what: `that unassigns ${what}`,
  on: 'assigned',
  body: ({ assigned_by_id }) => ({ unassign: { assigned_by_id } }),
  version,
})

const unassigns = {
  near: unassigning('with an If-Match that differs in the last digit', wrongVersions.near),
  absent: unassigning('without If-Match', () => undefined),
}

const pool: Pool = {
  name: 'updates with versions near the current one',
  updates: [...Object.values(nearUpdates), ...Object.values(unassigns)],
}

describe('Optimistic concurrency', () => {
  for (const [kind, [what, level]] of Object.entries(near)) {
    const statement = `answer 409 to an update whose If-Match is the current value ${what}`
    const law = level === 'must' ? { must: statement } : { should: statement }
    clause(`version.wrong.${kind}`, { ...law, section }, async ({ refusedUpdates, note }) => {
      const { answer, current } = await refusedUpdates.tryIn(pool, nearUpdates[kind as Near])
      const sent = nearVersions[kind as Near](current)
      premise(
        sent !== undefined,
        'data',
        `updated_at is ${current}, which shows too little of a second, or no zone, to be changed so`,
      )
      expect(answer).toHaveStatus(409)
      note(`${describeAnswer(answer)} to ${sent}, and ${current} was current`)
    })
  }

  clause(
    'version.wrong.unassign',
    { must: 'answer 409 to an unassign whose If-Match differs in the last digit', section },
    async ({ refusedUpdates, note }) => {
      const { answer } = await refusedUpdates.tryIn(pool, unassigns.near)
      expect(answer).toHaveStatus(409)
      note(describeAnswer(answer))
    },
  )

  clause(
    'version.required.unassign',
    { must: 'not carry out an unassign without If-Match', section: 'Update a task assignment' },
    async ({ refusedUpdates, note }) => {
      const tried = await refusedUpdates.tryIn(pool, unassigns.absent)
      expect(await refusedUpdates.carriedOut([tried])).toBeNone()
      note(`${describeAnswer(tried.answer)}, and reads show the assignment as before`)
    },
  )

  for (const [kind, update] of Object.entries(wrong))
    clause(
      `version.wrong.${kind}`,
      { must: `answer 409 to an update ${update.what}`, section },
      async ({ refusedUpdates, note }) => {
        const { answer } = await refusedUpdates.try(update)
        expect(answer).toHaveStatus(409)
        note(describeAnswer(answer))
      },
    )

  clause(
    'version.wrong.garbage',
    { must: 'not carry out an update whose If-Match is no timestamp', section },
    async ({ refusedUpdates, note }) => {
      const tried = await refusedUpdates.try(garbage)
      expect(await refusedUpdates.carriedOut([tried])).toBeNone()
      note(`${describeAnswer(tried.answer)}, and reads show the assignment as before`)
    },
  )

  clause(
    'version.wrong.garbage.status',
    { should: 'answer 409 to an If-Match that is no timestamp', section },
    async ({ refusedUpdates, note }) => {
      const { answer } = await refusedUpdates.try(garbage)
      expect(answer).toHaveStatus(409)
      note(describeAnswer(answer))
    },
  )

  clause(
    'version.required',
    { must: 'not carry out an update without If-Match', section: 'Update a task assignment' },
    async ({ refusedUpdates, note }) => {
      const tried = await refusedUpdates.try(absent)
      expect(await refusedUpdates.carriedOut([tried])).toBeNone()
      note(`${describeAnswer(tried.answer)}, and reads show the assignment as before`)
    },
  )

  clause(
    'version.star',
    { should: 'answer 409 to If-Match: *, which is not the current value', section },
    async ({ refusedUpdates, note }) => {
      const { answer } = await refusedUpdates.try(star)
      expect(answer).toHaveStatus(409)
      note(describeAnswer(answer))
    },
  )

  const forms: Record<string, { observe: string; update: RefusedUpdate }> = {
    'missing-status': { observe: 'how an update without If-Match is refused', update: absent },
    quoted: {
      observe: 'whether If-Match is taken in quotes',
      update: withVersion('whose If-Match is in quotes', (version) => `"${version}"`, 'unassigned'),
    },
    weak: {
      observe: 'whether If-Match is taken as a weak validator',
      update: withVersion('whose If-Match is weak', (version) => `W/"${version}"`, 'unassigned'),
    },
    case: {
      observe: 'whether If-Match is taken in another letter case',
      update: withVersion(
        'whose If-Match is in lower case',
        (version) => version.toLowerCase(),
        'unassigned',
      ),
    },
    offset: {
      observe: 'whether If-Match is taken with +00:00 in place of Z, or the reverse',
      update: withVersion(
        'whose If-Match has the other form of the zone',
        (version) =>
          /z$/i.test(version)
            ? version.replace(/z$/i, '+00:00')
            : version.replace(/[+-]00:?00$/, 'Z'),
        'unassigned',
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
    clause(
      `version.${kind}`,
      { observe, section },
      async ({ refusedUpdates }): Promise<Observation> => {
        const { answer } = await refusedUpdates.try(update)
        return isAccepted(answer) ? 'accepted' : answer.status
      },
    )
})

describe('Optimistic concurrency', () => {
  clause(
    'version.mismatch-answered',
    {
      should: 'answer an update whose If-Match is wrong, and the read that follows it',
      section: 'Errors',
    },
    async ({ borrowed, service, actor, people, unknownId, note }) => {
      const [to] = people
      if (!to) throw new NotDecidable('setting', 'set USER_IDS: users to assign to')
      const { seen, problems } = await fetchMismatch(borrowed, service, { actor, to, unknownId })
      expect(problems).toBeNone()
      note(seen ?? '')
    },
  )

  clause(
    'version.current-accepted',
    {
      must: 'accept an update whose If-Match is the updated_at that reads show',
      section: 'Errors',
      reading: '409 is stated for a version mismatch alone',
    },
    async ({ journey, session, service, note }) => {
      try {
        const [step] = await journey.accepted('transitions')
        if (step) note(`${describeAnswer(acceptedOf(step))} to the version that a read had shown`)
        return
      } catch (error) {
        // No update was accepted: whether it is for the version is found out here.
        if (!(error instanceof NotDecidable) || error.why.cause !== 'clause') throw error
      }
      const { accepted, breaches } = await tryCurrentVersions({ ...session, service })
      if (accepted) note(`${describeAnswer(accepted)} to the version that a read had shown`)
      expect(breaches).toBeNone()
    },
  )
})
