import { type Case, caseOf, valueIn } from '../engine/clause/case.ts'
import { caseOrWhy } from '../engine/clause/law.ts'
import { contentOf } from '../engine/files/content.ts'
import { describeAnswer, isAccepted, isObject, isRefused, jsonIn } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { otherCase } from '../engine/http/redaction.ts'
import { problemsOfStatus } from '../engine/http/status-problems.ts'
import { allEnded, Trouble } from '../engine/outcome.ts'
import type { Faker } from '../engine/random.ts'
import { trialsInForms } from '../helpers/access/export-forms.ts'
import type { KeyProbes } from '../helpers/access/key-probes.ts'
import {
  describeWays,
  fetchOtherForm,
  fetchTrial,
  needAcceptedAgain,
  needAcceptedReads,
  problemsOfKey,
  type Trial,
  trials,
  trialsOfReads,
  trialsOfUpdates,
  type Ways,
} from '../helpers/access/unauthorized.ts'
import { clausesOf } from '../helpers/clause.ts'
import type { Resource } from '../helpers/contract/fields.ts'
import { type Operation, operations, readOperations } from '../helpers/contract/operations.ts'
import type { FileType } from '../helpers/contract/parameters.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { problemsOfReveal } from '../helpers/reads/refusals.ts'
import { needAccepted, premise } from '../helpers/service/answers.ts'
import { invalidKeysLike } from '../helpers/service/key-use.ts'
import type { How } from '../helpers/service/update-request.ts'
import { wrongVersions } from '../helpers/service/wrong-versions.ts'
import type { Settings } from '../helpers/settings/table.ts'
import {
  type Attempt,
  type AttemptResult,
  asUnassign,
  asUpdate,
  batched,
} from '../helpers/updates/attempt.ts'
import {
  type Attempts,
  describeTried,
  describeUnchanged,
  problemsOfEffect,
  problemsOfFields,
  sent,
  type Tried,
  watchedAll,
} from '../helpers/updates/attempts.ts'

const clause = clausesOf({ title: 'Authentication', section: 'Authentication' })
const everyOperation = Object.keys(operations) as Operation[]
const withId = everyOperation.filter((operation) => operation !== 'export')
const kindsOfUpdate = ['update', 'unassign'] as const
type Kind = (typeof kindsOfUpdate)[number]
const noKey: How = { key: null }

const permittedKinds = ({ notPermitted }: Settings): readonly Kind[] =>
  kindsOfUpdate.filter((kind) => !notPermitted.includes(`assign.${kind}`))

/** Paths that routers may treat as those of the contract, and key checks may not. */
const otherPaths: Record<string, (path: string) => string> = {
  'a slash behind it': (path) => `${path}/`,
  'a doubled slash': (path) => `/${path}`,
  'an encoded letter': (path) =>
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  'capital letters': (path) => path.replace(/^\/[^/]+/, (name) => name.toUpperCase()),
  'a suffix': (path) => `${path}.json`,
  'a parameter': (path) => `${path};v=1`,
}

const describeTrials = ([first, ...more]: readonly Trial[]) =>
  `${statuses.badKey} (${more.length + 1}); the control ${first && describeAnswer(first.control)}`

for (const operation of everyOperation) {
  clause(`auth.missing-key.${operation}`, {
    must: 'respond 401 when the apikey header is missing',
    operation,
    law: problemsOfKey,
    of: describeTrials,
  })(['settings', 'shared', 'keyProbes'], async function* ({ settings, shared, keyProbes }) {
    const probe = await keyProbes.of(operation)
    // Repeat the request that was just accepted: a cache in front of the key check may keep its answer.
    const keyed = operation.endsWith('.read') ? await probe.send({}) : undefined
    yield fetchTrial(probe, noKey, { before: keyed })
    yield* await fetchOtherForm(probe, noKey)
    if (operation === 'export')
      yield* trialsInForms(probe, [['no key', noKey]], { shared, ...settings })
  })

  clause(`auth.invalid-key.${operation}`, {
    must: 'respond 401 to a random key, an empty key, and keys that almost match the valid key',
    operation,
    law: problemsOfKey,
    of: describeTrials,
  })(
    ['settings', 'random', 'shared', 'keyProbes'],
    async function* ({ settings, random, shared, keyProbes }) {
      const probe = await keyProbes.of(operation)
      const keys = invalidKeysLike(settings.apiKey, random)
      if (operation === 'export') yield* trialsInForms(probe, keys, { shared, ...settings })
      else yield* trials(probe, keys)
    },
  )

  clause(`auth.key-case.${operation}`, {
    should: 'respond 401 to the valid key in a different letter case',
    operation,
    law: problemsOfKey,
    of: describeTrials,
  })(['settings', 'keyProbes'], async ({ settings, keyProbes }) => {
    const key = otherCase(settings.apiKey)
    const why = 'API_KEY contains no letter; a key with letters is needed'
    premise(key !== settings.apiKey, 'data', why)
    return [await fetchTrial(await keyProbes.of(operation), { key })]
  })
}

clause('auth.missing-key.files', {
  must: 'respond 401 without the key to an export that was just returned with the key',
  operation: 'export',
  since: '0.2',
  law: problemsOfKey,
  of: describeTrials,
})(['service', 'ranges'], async function* ({ service, ranges }) {
  const span = await ranges.few()
  const probeOf = async (fileType: FileType) => {
    const query = ranges.exports.text({ ...span, fileType })
    const send = (how: How) => service.exportEvents(query, how)
    return { operation: 'export', targetExists: true, send, control: await send({}) } as const
  }
  yield fetchTrial(await probeOf('csv'), noKey)
  const pdf = await probeOf('pdf')
  // A key may be allowed only one type of file, and a PDF may not hold all events.
  if (!isRefused(pdf.control)) yield fetchTrial(pdf, noKey)
})

clause('auth.other-paths', {
  must: 'respond 401 without the key on any other path that serves the same operation with the key',
  reading:
    'a path that returns the same resource, or a file of the same kind, serves the same operation',
  since: '0.2',
  law: (one: Trial | { other: Answer; control: Answer }) =>
    'answer' in one ? problemsOfKey(one) : [],
  of: (all) => {
    const served = all.flatMap((one) => ('answer' in one ? one : []))
    return `${served.length} of ${all.length} other paths serve the operation with the key, and respond ${statuses.badKey} without it: ${describeWays(served) || 'none'}`
  },
})(['keyProbes'], ({ keyProbes }) => trialsAtOtherPaths(keyProbes))

async function* trialsAtOtherPaths(keyProbes: KeyProbes) {
  for (const probe of await needAcceptedReads(keyProbes))
    for (const [what, path] of Object.entries(otherPaths)) {
      const send = (how: How) => probe.send({ ...how, path })
      const control = await send({})
      // The sentence is about the operation: other answers are not judged.
      yield givesTheSame(control, probe.control)
        ? fetchTrial({ ...probe, send, control }, noKey, { what: `a path with ${what}` })
        : caseOf(
            { other: control, control: probe.control },
            { judged: control, control: probe.control },
          )
    }
}

/** A service may serve a page at any path; a page has no resource. */
function givesTheSame(answer: Answer, control: Answer): boolean {
  if (!isAccepted(answer)) return false
  const [found, own] = [answer, control].map(jsonIn)
  if (isObject(own)) return isObject(found) && found.id === own.id
  return contentOf(answer.text) === contentOf(control.text)
}

clause('auth.header-case', {
  should: 'treat the name of the apikey header as case-insensitive',
  reading: 'names of header fields have no letter case (RFC 9110)',
  since: '0.2',
  law: ({ answer, ...more }: Trial) => problemsOfStatus(answer, '2xx', more),
  of: (all) => `accepted: ${describeWays(all)}`,
})(['keyProbes'], ({ keyProbes }) => inHeaderForms(keyProbes))

async function* inHeaderForms(keyProbes: KeyProbes) {
  const probes = await needAcceptedReads(keyProbes)
  for (const [at, { operation, send, control }] of probes.entries()) {
    const headerForm = at % 2 === 0 ? 'upper case' : 'title case'
    const answer = await send({ headerForm })
    if (!isAccepted(answer)) needAcceptedAgain(await send({}))
    const what = `the names of headers in ${headerForm}`
    yield caseOf({ operation, what, answer, control }, { judged: answer, control })
  }
}

for (const operation of withId) {
  clause(`auth.before-lookup.${operation}`, {
    should: 'respond 401, not 404, to an invalid key with an unknown id',
    operation,
    law: problemsOfKey,
    of: describeTrials,
  })(['random', 'keyProbes'], async ({ random, keyProbes }) => {
    const { send, control } = await keyProbes.of(operation, { unknownTarget: true })
    const answer = await send({ key: random.string.alphanumeric(32) })
    // A mock without the operation does not find it either.
    if (control.status === statuses.badKey || answer.status !== statuses.badKey)
      needAccepted((await keyProbes.of(operation)).control)
    if (control.status === statuses.badKey)
      throw new Trouble(
        `${describeAnswer(control)} to the valid key, which other requests show to be accepted`,
      )
    return [caseOf({ operation, answer, control }, { judged: answer, control })]
  })
}

clause('auth.other-carriers', {
  must: 'respond 401 when the valid key is sent in another header and the apikey header is missing',
  law: problemsOfKey,
  of: (all: readonly Trial[]) => `${statuses.badKey}: ${describeWays(all)}`,
})(['settings', 'keyProbes'], async function* ({ settings, keyProbes }) {
  const { apiKey, readOnly } = settings
  const carriers: Ways = [
    ['the key as Authorization', { ...noKey, headers: { authorization: `Bearer ${apiKey}` } }],
    ['the key as X-Api-Key', { ...noKey, headers: { 'x-api-key': apiKey } }],
  ]
  yield* trialsOfReads(keyProbes, carriers)
  if (!readOnly) yield* trialsOfUpdates(keyProbes, permittedKinds(settings), carriers)
})

clause('auth.other-carriers.query', {
  must: 'respond 401 when the valid key is sent in the query string and the apikey header is missing',
  law: problemsOfKey,
  of: (all: readonly Trial[]) => `${statuses.badKey}: ${describeWays(all)}`,
})(['keyInQuery', 'keyProbes'], ({ keyInQuery: query, keyProbes }) =>
  trialsOfReads(keyProbes, [['the key in the query', { ...noKey, query }]]),
)

clause('auth.wrong-region', {
  should: 'respond 401 when the key is sent to the base address of another region',
  law: problemsOfKey,
  of: describeTrials,
})(['otherRegion', 'keyProbes'], async ({ otherRegion: base, keyProbes }) => {
  const [probe] = await needAcceptedReads(keyProbes)
  return [await fetchTrial(probe, { base, sendKeyElsewhere: true })]
})

clause('auth.ip-allow-list', {
  should: 'respond 401 when the key is sent from an IP address that is not on the allow list',
  law: ({ answer, ...more }: Trial) =>
    problemsOfStatus(answer, statuses.badKey, { ...more, again: { why: throughProxy } }),
  of: describeTrials,
})(['outside', 'keyProbes'], async ({ outside, keyProbes }) => {
  const [probe] = await needAcceptedReads(keyProbes)
  return [await fetchTrial(probe, { via: outside })]
})

const throughProxy = 'the request has to be sent through OUTSIDE_PROXY_URL'

// Unlike any real key, and the same in every run.
const wrongKey: How = { key: 'not-a-key-of-this-service-0000000' }

function wrongUpdate(what: string, how: How, more?: Partial<Attempt>): Attempt {
  return { what, on: 'any', body: asUpdate, how, ...more }
}
const noVersion = { version: () => undefined }
const wrongVersion = { version: wrongVersions.near }
const asAnUnassign = { on: 'assigned', body: asUnassign } as const

const wrong = {
  update: [
    wrongUpdate('without a key and with a wrong If-Match', noKey, wrongVersion),
    wrongUpdate('with an invalid key and without If-Match', wrongKey, noVersion),
    wrongUpdate('without a key and without assigned_to_type', noKey, {
      body: ({ assigned_to_type: _, ...rest }) => ({ update: rest }),
    }),
    wrongUpdate('with an invalid key and a body that is not JSON', wrongKey, {
      body: (valid) => JSON.stringify({ update: valid }).slice(0, -1),
    }),
  ],
  unassign: [
    wrongUpdate('that unassigns without a key and without If-Match', noKey, {
      ...asAnUnassign,
      ...noVersion,
    }),
    wrongUpdate('that unassigns with an invalid key and a wrong If-Match', wrongKey, {
      ...asAnUnassign,
      ...wrongVersion,
    }),
  ],
}
const elsewhere = Object.entries(otherPaths).map(([what, path]) =>
  wrongUpdate(`without a key, at a path with ${what}`, { ...noKey, path }),
)
batched([...wrong.update, ...wrong.unassign, ...elsewhere])

const withBadKey: Record<Kind, Attempt[]> = {
  update: withBadKeys('an update', {}),
  unassign: withBadKeys('an unassign request', asAnUnassign),
}
batched(Object.values(withBadKey).flat())

function withBadKeys(kind: string, more: Partial<Attempt>): Attempt[] {
  return [
    wrongUpdate(`with an invalid key (${kind})`, wrongKey, more),
    wrongUpdate(`without a key (${kind})`, noKey, more),
    wrongUpdate(`with an empty key (${kind})`, { key: '' }, more),
  ]
}

clause('auth.refused-changes-nothing', {
  must: 'leave the task unchanged after an update that is rejected with 401',
  reading: 'the contract does not specify what else changes updated_at, data_version and locked_at',
  law: (one: AttemptResult) => [...problemsOfEffect(one), ...problemsOfFields(one)],
  of: (all) => `${describeTried(all)}, and reads return the task unchanged`,
})(['settings', 'attempts'], ({ settings, attempts }) => {
  const permitted = permittedKinds(settings)
  const kinds = permitted.length > 0 ? permitted : kindsOfUpdate
  const tried = allEnded(kinds.map((kind) => needRefused(attempts, kind)))
  return attempts.watched(tried.then((each) => each.flat()))
})

async function needRefused(attempts: Attempts, kind: Kind): Promise<readonly Tried[]> {
  const tried = await attempts.all(withBadKey[kind])
  const owners = [`auth.invalid-key.assign.${kind}`, `auth.missing-key.assign.${kind}`] as const
  const isRefused = tried.every((one) => valueIn(one).answer.status === statuses.badKey)
  premise(
    isRefused,
    'clause',
    `not every invalid key was rejected with ${statuses.badKey}`,
    ...owners,
  )
  return tried
}

type Refused = { resource: Resource; answer: Answer; control: Answer }

clause('auth.refused-reveals-nothing', {
  should:
    'include no value of a resource, of eight characters or more, in a 401 response to a read',
  law: ({ resource, answer, control }: Refused) => problemsOfReveal(resource, answer, control),
  of: (all) =>
    `bodies of ${statuses.badKey} responses without a value of the resource: ${all.length}`,
})(['random', 'keyProbes'], ({ random, keyProbes }) => refusedReads(keyProbes, random))

async function* refusedReads(keyProbes: KeyProbes, random: Faker) {
  for (const operation of readOperations)
    try {
      const { resource } = operations[operation]
      const { control, send } = await keyProbes.of(operation)
      needAccepted(control)
      for (const key of [random.string.alphanumeric(32), null]) {
        const answer = await send({ key })
        const owner = `auth.${key === null ? 'missing' : 'invalid'}-key.${operation}`
        premise(
          answer.status === statuses.badKey,
          'clause',
          `${describeAnswer(answer)}, not ${statuses.badKey}`,
          owner,
        )
        yield caseOf({ resource, answer, control }, { judged: answer, control })
      }
    } catch (error) {
      yield caseOrWhy<Case<Refused>>(Promise.reject(error))
    }
}

for (const kind of kindsOfUpdate) {
  const operation = `assign.${kind}`
  const what = kind === 'update' ? 'an update' : 'an unassign request'

  clause(`auth.invalid-besides.${operation}`, {
    must: `leave the assignment unchanged after ${what} that has no valid key and a second mistake`,
    operation,
    law: problemsOfEffect,
    of: describeUnchanged,
  })(['attempts'], watchedAll(...wrong[kind]))

  clause(`auth.invalid-besides.${operation}.status`, {
    should: `respond 401 to ${what} that has no valid key and a second mistake`,
    operation,
    law: ({ attempt: { what }, answer }: Pick<AttemptResult, 'attempt' | 'answer'>) =>
      problemsOfStatus(answer, statuses.badKey, { what: `an update ${what}` }),
    of: `${kind}s responded ${statuses.badKey}`,
  })(['attempts'], sent(...wrong[kind]))
}

clause('auth.other-paths.updates', {
  must: 'leave the assignment unchanged after an update sent without the key to any other path',
  operation: 'assign.update',
  since: '0.2',
  law: problemsOfEffect,
  of: describeUnchanged,
})(['attempts'], watchedAll(...elsewhere))
