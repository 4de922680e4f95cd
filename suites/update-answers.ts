import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { codesIn, headersShown, refusalShape } from '../engine/http/shapes.ts'
import type { Observation } from '../engine/observation.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { clausesOf } from '../helpers/clause.ts'
import { updateBody } from '../helpers/service/update-request.ts'
import { needAnybody } from '../helpers/updates/controls.ts'
import { tryCurrentVersions } from '../helpers/updates/current-accepted.ts'
import { acceptedOf } from '../helpers/updates/step.ts'
import { fetchMismatch } from '../helpers/updates/unanswered.ts'

const clause = clausesOf({ section: 'Errors', operation: 'assign.update' })
const version = clausesOf({ title: 'Optimistic concurrency', section: 'Errors' })
const longAgo = '2001-01-01T00:00:00.000Z'

clause('assign.headers', {
  observe: 'which headers every accepted update comes with',
  section: 'Endpoints',
})(async ({ journey }) => headersShown((await journey.accepted('transitions')).map(acceptedOf)))

for (const [id, observe, told] of [
  ['assign.error-body', 'what refusals of an update look like', refusalShape],
  ['assign.error-codes', 'which codes and fixed words refusals of an update carry', codesIn],
] as const)
  clause(id, { observe })(async ({ service, borrowed, unknownId, actor, user }) => {
    const { id, updated_at } = borrowed.task
    const body = updateBody(actor, user)
    const answers: Record<string, Answer> = {
      'unknown id': await service.put(unknownId, longAgo, body),
      'no key': await service.put(unknownId, longAgo, body, { key: null }),
      'stale If-Match': await service.put(id, longAgo, body),
      'no If-Match': await service.put(id, undefined, body),
      'neither object': await service.put(id, updated_at, {}),
    }
    return Object.fromEntries(Object.entries(answers).map(([what, answer]) => [what, told(answer)]))
  })

clause('assign.validation-order', {
  observe: 'which of several mistakes in one update is refused first',
})(async ({ service, borrowed, unknownId, actor, user, random }) => {
  const { id } = borrowed.task
  const key = random.string.alphanumeric(32)
  const valid = updateBody(actor, user)
  const tries: Record<string, Parameters<typeof service.put>> = {
    'bad key, unknown id, stale If-Match': [unknownId, longAgo, valid, { key }],
    'bad key, unknown id, invalid body': [unknownId, longAgo, {}, { key }],
    'bad key, stale If-Match': [id, longAgo, valid, { key }],
    'bad key, invalid body': [id, longAgo, {}, { key }],
    'unknown id, stale If-Match': [unknownId, longAgo, valid],
    'unknown id, invalid body': [unknownId, longAgo, {}],
    'unknown id, no If-Match': [unknownId, undefined, {}],
    'stale If-Match, invalid body': [id, longAgo, { update: {} }],
    'no If-Match, invalid body': [id, undefined, { update: {} }],
    'stale If-Match, not JSON': [id, longAgo, '{'],
  }
  const seen: [string, Observation][] = []
  for (const [what, request] of Object.entries(tries)) {
    const answer = await service.put(...request)
    seen.push([what, isAccepted(answer) ? 'accepted' : answer.status])
  }
  return Object.fromEntries(seen)
})

version('version.mismatch-answered', {
  should: 'answer an update whose If-Match is wrong, and the read that follows it',
})(async ({ borrowed, service, actor, people, unknownId, note }) => {
  const to = needAnybody(people)
  const { seen, problems } = await fetchMismatch(borrowed, service, { actor, to, unknownId })
  expect(problems).toBeNone()
  note(seen ?? '')
})

version('version.current-accepted', {
  must: 'accept an update whose If-Match is the updated_at that reads show',
  reading: '409 is stated for a version mismatch alone',
})(async ({ journey, session, service, note }) => {
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
})
