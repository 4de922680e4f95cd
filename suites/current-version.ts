import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { clause } from '../helpers/clause.ts'
import { tryCurrentVersions } from '../helpers/updates/current-accepted.ts'
import { acceptedOf } from '../helpers/updates/step.ts'
import { fetchMismatch } from '../helpers/updates/unanswered.ts'

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
