import { open } from '../../../reference/rules/open.ts'
import { type Fault, fault, type ProofRules } from '../fault.ts'
import { wrongUnassign } from './concurrency.ts'

/** Longer than a request may take. */
const hanging = { milliseconds: 2_500, env: { TIMEOUT_MS: '1000' } }

/** A request in which a version mismatch was met is not answered. */
function neverAnswered(): Fault {
  const met = new WeakSet<Headers>()
  return fault('a version mismatch is never answered', {
    mismatchStatus: ({ headers }) => {
      met.add(headers)
      return 409
    },
    delay: ({ headers }) => (met.has(headers) ? hanging.milliseconds : 0),
    env: hanging.env,
    breaks: ['version.mismatch-answered'],
  })
}

/** The caller reads the task again, as the contract asks, and waits. */
function readNotAnswered(): Fault {
  const held = new Set<string>()
  return fault('after each 409 a read of the task is not answered', {
    mismatchStatus: ({ id }) => {
      held.add(id)
      return 409
    },
    delay: ({ op, id, at }) =>
      op === 'task.read' && at === 'start' && held.delete(id) ? hanging.milliseconds : 0,
    env: hanging.env,
    breaks: ['version.mismatch-answered'],
  })
}

/** Services that leave the caller waiting where the version does not match. */
export const unanswered: Fault[] = [neverAnswered(), readNotAnswered()]

const gatewaysPage = {
  type: 'text/html',
  text: '<html><body><h1>Service Unavailable</h1></body></html>',
}
/** A gateway that takes a refusal for a failure of what is behind it. */
const asFailure = (name: string, told: Omit<ProofRules<Fault>, 'errorBody'>, status = 503): Fault =>
  fault(name, {
    ...told,
    errorBody: (refused) => (refused.status === status ? gatewaysPage : open.errorBody(refused)),
  })

/** A 5xx that one request alone meets, between accepted ones, is the answer to it. */
export const answeredByGateway = {
  keys: [
    asFailure(
      'each rejected key is answered 502 by a gateway',
      {
        unauthorizedStatus: () => 502,
        breaks: [
          'auth.missing-key.*',
          'auth.invalid-key.*',
          'auth.key-case.*',
          'auth.other-carriers*',
          'auth.other-paths',
        ],
        mayBreak: ['auth.invalid-besides.*', 'auth.refused-reveals-nothing'],
      },
      502,
    ),
  ],
  ids: [
    asFailure('each unknown id is answered 503 by a gateway', {
      notFoundStatus: () => 503,
      breaks: ['task.read.not-found', 'assessment.read.not-found', 'assign.not-found.*'],
    }),
  ],
  versions: [
    asFailure('each wrong If-Match is answered 503 by a gateway', {
      mismatchStatus: () => 503,
      breaks: [
        'version.stale.*',
        'version.wrong.near',
        'version.wrong.older',
        'version.wrong.future',
        wrongUnassign,
        'version.star',
        'version.mismatch-answered',
      ],
      mayBreak: ['version.wrong.*'],
    }),
  ],
}
