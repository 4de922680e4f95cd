import { expect } from '../engine/clause/matchers.ts'
import { contentOf } from '../engine/files/content.ts'
import { describeAnswer, isAccepted, isObject, isRefused, jsonIn } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { otherCase } from '../engine/http/redaction.ts'
import { problemsOfStatus } from '../engine/http/status.ts'
import { allEnded, NotDecidable, Trouble } from '../engine/outcome.ts'
import { expectUnauthorizedInForms } from '../helpers/access/export-forms.ts'
import {
  expectNotLetIn,
  expectUnauthorized,
  expectUpdatesUnauthorized,
  needAcceptedAgain,
  needAcceptedReads,
} from '../helpers/access/unauthorized.ts'
import { clausesOf } from '../helpers/clause.ts'
import { problemsOfSecret, tellingValues } from '../helpers/reads/refusals.ts'
import { needAccepted, premise } from '../helpers/service/answers.ts'
import { invalidKeysLike } from '../helpers/service/keys.ts'
import { type Operation, operations } from '../helpers/service/operations.ts'
import type { How } from '../helpers/service/update-request.ts'
import { wrongVersions } from '../helpers/service/wrong-versions.ts'
import {
  type Attempt,
  type AttemptResult,
  asUnassign,
  asUpdate,
  type Pool,
} from '../helpers/updates/attempt.ts'
import { type Attempts, expectNotCarriedOut } from '../helpers/updates/attempts.ts'

const clause = clausesOf({ title: 'Authentication', section: 'Authentication' })
const everyOperation = Object.keys(operations) as Operation[]
const withId = everyOperation.filter((operation) => operation !== 'export')
const updates = ['assign.update', 'assign.unassign'] as const

/** Paths that routers take for those of the contract, and that guards may not. */
const otherPaths: Record<string, (path: string) => string> = {
  'a slash behind it': (path) => `${path}/`,
  'a doubled slash': (path) => `/${path}`,
  'an encoded letter': (path) =>
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  'capital letters': (path) => path.replace(/^\/[^/]+/, (name) => name.toUpperCase()),
  'a suffix': (path) => `${path}.json`,
  'a parameter': (path) => `${path};v=1`,
}

for (const operation of everyOperation) {
  clause(`auth.missing-key.${operation}`, {
    must: 'answer 401 when the apikey header is missing',
    operation,
  })(async ({ keyProbes, settings, shared, note }) => {
    const probe = await keyProbes.of(operation)
    // Repeat the request that was just accepted: a cache in front of the key check may keep its answer.
    if (operation.endsWith('.read')) await probe.send({})
    await expectUnauthorized(probe, { key: null })
    await expectNotLetIn(probe, { key: null })
    if (operation === 'export')
      await expectUnauthorizedInForms(probe, [['no key', null]], { shared, ...settings })
    note(`${describeAnswer(probe.control)} with the key, 401 without`)
  })

  clause(`auth.invalid-key.${operation}`, {
    must: 'answer 401 to a random key, an empty one, and ones that come close to the real one',
    operation,
  })(async ({ keyProbes, settings, shared, random, note }) => {
    const probe = await keyProbes.of(operation)
    const keys = invalidKeysLike(settings.apiKey, random)
    if (operation === 'export')
      await expectUnauthorizedInForms(probe, keys, { shared, ...settings })
    else for (const [what, key] of keys) await expectUnauthorized(probe, { key }, { what })
    note(`${describeAnswer(probe.control)} with the key, 401 to ${keys.length} bad ones`)
  })

  clause(`auth.key-case.${operation}`, {
    should: 'answer 401 to the key in another letter case',
    operation,
  })(async ({ keyProbes, settings, note }) => {
    const key = otherCase(settings.apiKey)
    premise(
      key !== settings.apiKey,
      'data',
      'API_KEY holds no letter; a key with letters is needed',
    )
    const probe = await keyProbes.of(operation)
    await expectUnauthorized(probe, { key })
    note(`${describeAnswer(probe.control)} with the key, 401 in another letter case`)
  })
}

clause('auth.missing-key.files', {
  must: 'answer 401 without the key to the export of events that was just given with it',
  operation: 'export',
  since: '0.2',
})(async ({ ranges, service, note }) => {
  const span = await ranges.few()
  const asked: string[] = []
  for (const fileType of ['csv', 'pdf'] as const) {
    const query = ranges.exports.text({ ...span, fileType })
    const send = (how: How) => service.exportEvents(query, how)
    const control = await send({})
    // A key may be allowed one type of file alone, and the events be too many for a PDF.
    if (asked.length > 0 && isRefused(control)) continue
    await expectUnauthorized(
      { operation: 'export', targetExists: true, send, control },
      { key: null },
    )
    asked.push(fileType)
  }
  note(`${asked.join(' and ')} from ${span.start} to ${span.end}: 401 right behind the file`)
})

clause('auth.other-paths', {
  must: 'answer 401 without a key at any path at which the key gets what it gets at that of the contract',
  reading: 'a path that gives the same belongs to the same operation',
  since: '0.2',
})(async ({ keyProbes, note }) => {
  const probes = await needAcceptedReads(keyProbes)
  const served: string[] = []
  for (const probe of probes)
    for (const [what, path] of Object.entries(otherPaths)) {
      const send = (how: How) => probe.send({ ...how, path })
      const control = await send({})
      if (!givesTheSame(control, probe.control)) continue
      await expectUnauthorized({ ...probe, send, control }, { key: null }, { what })
      served.push(`${probe.operation} with ${what}`)
    }
  const tried = probes.length * Object.keys(otherPaths).length
  note(`${served.length} of ${tried} other paths give the same with the key: ${served.join(', ')}`)
})

/** Whether an answer holds what another one does; a page for any path is something else. */
function givesTheSame(answer: Answer, control: Answer): boolean {
  if (!isAccepted(answer)) return false
  const [found, own] = [answer, control].map(jsonIn)
  if (isObject(own)) return isObject(found) && found.id === own.id
  return contentOf(answer.text) === contentOf(control.text)
}

clause('auth.header-case', {
  should: 'take the key whatever the letter case of the name of its header',
  reading: 'names of header fields have no letter case (RFC 9110)',
  since: '0.2',
})(async ({ keyProbes, note }) => {
  const probes = await needAcceptedReads(keyProbes)
  for (const [at, { send, control }] of probes.entries()) {
    const headerForm = at % 2 === 0 ? 'upper case' : 'title case'
    const answer = await send({ headerForm })
    if (!isAccepted(answer)) needAcceptedAgain(await send({}))
    expect(answer).toBeAccepted({ control, what: `the names of headers in ${headerForm}` })
  }
  note(`accepted: ${probes.map(({ operation }) => operation).join(', ')}`)
})

for (const operation of withId) {
  clause(`auth.before-lookup.${operation}`, {
    should: 'answer 401, not 404, to a bad key with an unknown id',
    operation,
  })(async ({ keyProbes, random, note }) => {
    const probe = await keyProbes.of(operation, { unknownTarget: true })
    const answer = await probe.send({ key: random.string.alphanumeric(32) })
    const { control } = probe
    // A mock without the operation answers 404 too.
    if (control.status === 401 || answer.status !== 401)
      needAccepted((await keyProbes.of(operation)).control)
    if (control.status === 401)
      throw new Trouble(`${describeAnswer(control)} to the key, which is accepted elsewhere`)
    expect(answer).toHaveStatus(401, { control })
    note(`${describeAnswer(control)} with the key, 401 with a bad one`)
  })
}

clause('auth.other-carriers', {
  must: 'answer 401 when the valid key comes in another header and the apikey header is missing',
})(async ({ keyProbes, settings, note }) => {
  const { apiKey } = settings
  const carriers: Record<string, How> = {
    'the key as Authorization': { headers: { authorization: `Bearer ${apiKey}` } },
    'the key as X-Api-Key': { headers: { 'x-api-key': apiKey } },
  }
  const probes = await needAcceptedReads(keyProbes)
  for (const probe of probes)
    for (const [what, carrier] of Object.entries(carriers))
      await expectUnauthorized(probe, { key: null, ...carrier }, { what })
  const permitted = settings.readOnly
    ? []
    : updates.filter((each) => !settings.notPermitted.includes(each))
  const reads = probes.map(({ operation }) => operation)
  const asked = await expectUpdatesUnauthorized(keyProbes, permitted, carriers)
  note(`401 to ${Object.keys(carriers).join(', ')}: ${[...reads, ...asked].join(', ')}`)
})

clause('auth.other-carriers.query', {
  must: 'answer 401 when the valid key comes in the query and the apikey header is missing',
})(async ({ keyProbes, settings, note }) => {
  premise(
    settings.embedded || settings.keyInQuery,
    'setting',
    'set KEY_IN_QUERY=1: the key then stands in an address, and addresses may end up in logs',
  )
  const query = `apikey=${encodeURIComponent(settings.apiKey)}`
  const probes = await needAcceptedReads(keyProbes)
  for (const probe of probes)
    await expectUnauthorized(probe, { key: null, query }, { what: 'the key in the query' })
  note(`401: ${probes.map(({ operation }) => operation).join(', ')}`)
})

clause('auth.wrong-region', {
  should: 'answer 401 to the key at the address of another region',
})(async ({ keyProbes, settings, note }) => {
  const base = settings.wrongRegionUrl
  premise(base !== undefined, 'setting', 'set WRONG_REGION_URL: the base address of another region')
  const [probe] = await needAcceptedReads(keyProbes)
  await expectUnauthorized(probe, { base, sendKeyElsewhere: true })
  note(`${describeAnswer(probe.control)} at BASE_URL, 401 there`)
})

clause('auth.ip-allow-list', {
  should: 'answer 401 to the key from an address that is not on the allow list',
})(async ({ keyProbes, outside, note }) => {
  const [probe] = await needAcceptedReads(keyProbes)
  const again = { why: 'the request has to be sent through OUTSIDE_PROXY_URL' }
  await expectUnauthorized(probe, { via: outside }, { again })
  note(`${describeAnswer(probe.control)} from here, 401 through the proxy`)
})

const noKey: How = { key: null }
// Unlike any real key, and the same in every run.
const wrongKey: How = { key: 'not-a-key-of-this-service-0000000' }

const wrongUpdate = (what: string, how: How, more: Partial<Attempt>): Attempt => ({
  what,
  on: 'any',
  body: asUpdate,
  how,
  ...more,
})
const wrongUnassign = (what: string, how: How, version: Attempt['version']): Attempt => ({
  what,
  on: 'assigned',
  body: asUnassign,
  how,
  version,
})
const noVersion = () => undefined

/** Updates with a second mistake besides the key: the key check alone must stop them. */
const wrong = {
  update: [
    wrongUpdate('without a key and with a wrong If-Match', noKey, { version: wrongVersions.near }),
    wrongUpdate('with a wrong key and without If-Match', wrongKey, { version: noVersion }),
    wrongUpdate('without a key and without assigned_to_type', noKey, {
      body: ({ assigned_to_type: _, ...rest }) => ({ update: rest }),
    }),
    wrongUpdate('with a wrong key and a body that is not JSON', wrongKey, {
      body: (valid) => JSON.stringify({ update: valid }).slice(0, -1),
    }),
  ],
  unassign: [
    wrongUnassign('that unassigns without a key and without If-Match', noKey, noVersion),
    wrongUnassign(
      'that unassigns with a wrong key and a wrong If-Match',
      wrongKey,
      wrongVersions.near,
    ),
  ],
}
const elsewhere = Object.entries(otherPaths).map(([what, path]) =>
  wrongUpdate(`without a key, at a path with ${what}`, { ...noKey, path }, {}),
)
const pool: Pool = {
  name: 'updates without a valid key that are wrong besides',
  attempts: [...wrong.update, ...wrong.unassign, ...elsewhere],
}

const kindsOfUpdate = ['update', 'unassign'] as const
type Kind = (typeof kindsOfUpdate)[number]

const withBadKey: Record<Kind, Attempt[]> = {
  update: withBadKeys('an update', { on: 'any', body: asUpdate }),
  unassign: withBadKeys('an unassign', { on: 'assigned', body: asUnassign }),
}
const badKeys: Pool = {
  name: 'updates with nothing wrong but the key',
  attempts: kindsOfUpdate.flatMap((kind) => withBadKey[kind]),
}

function withBadKeys(kind: string, attempt: Pick<Attempt, 'on' | 'body'>): Attempt[] {
  const keys = {
    'with a wrong key': wrongKey,
    'without a key': noKey,
    'with an empty key': { key: '' },
  }
  return Object.entries(keys).map(([what, how]) => ({ what: `${what} (${kind})`, ...attempt, how }))
}

clause('auth.refused-changes-nothing', {
  must: 'leave the task as it was when an update is refused with 401',
})(async ({ attempts, settings, note }) => {
  const isPermitted = (kind: Kind) => !settings.notPermitted.includes(`assign.${kind}`)
  const permitted = kindsOfUpdate.filter(isPermitted)
  const kinds = permitted.length > 0 ? permitted : kindsOfUpdate
  const sent = kinds.map(async (kind) => {
    const tried = await tryAll(attempts, badKeys, withBadKey[kind])
    premise(
      tried.every(({ answer }) => answer.status === 401),
      'clause',
      'not every bad key was answered 401',
      `auth.invalid-key.assign.${kind}`,
      `auth.missing-key.assign.${kind}`,
    )
    return tried
  })
  note(await expectNotCarriedOut(attempts, (await allEnded(sent)).flat()))
})

clause('auth.refused-reveals-nothing', {
  should: 'show nothing of the resource in the body of a 401',
})(async ({ keyProbes, random, note }) => {
  let compared = 0
  const undecided: Error[] = []
  for (const resource of ['task', 'assessment'] as const)
    try {
      const operation = `${resource}.read` as const
      const probe = await keyProbes.of(operation)
      needAccepted(probe.control)
      for (const key of [random.string.alphanumeric(32), null]) {
        const answer = await probe.send({ key })
        const owner = `auth.${key === null ? 'missing' : 'invalid'}-key.${operation}`
        premise(answer.status === 401, 'clause', `${describeAnswer(answer)}, not 401`, owner)
        const secrets = tellingValues(resource, jsonIn(probe.control), answer.path)
        if (secrets.length > 0) compared += 1
        expect(secrets.flatMap((each) => problemsOfSecret(each, answer, probe.control))).toBeNone()
      }
    } catch (error) {
      if (!(error instanceof NotDecidable || error instanceof Trouble)) throw error
      undecided.push(error)
    }
  const [why] = undecided
  if (compared === 0 && why) throw why
  premise(compared > 0, 'data', 'no value of eight characters or more can be read')
  note(`${compared} bodies of 401 show no value of the resource`)
})

for (const kind of ['update', 'unassign'] as const) {
  const operation = `assign.${kind}`
  const what = kind === 'update' ? 'an update' : 'an unassign'

  clause(`auth.invalid-besides.${operation}`, {
    must: `not carry out ${what} without a valid key that is wrong in another way too`,
    operation,
  })(async ({ attempts, note }) =>
    note(await expectNotCarriedOut(attempts, await tryAll(attempts, pool, wrong[kind]))),
  )

  clause(`auth.invalid-besides.${operation}.status`, {
    should: `answer 401 to ${what} without a valid key that is wrong in another way too`,
    operation,
  })(async ({ attempts, each }) => {
    const judge = ({ attempt: { what }, answer }: AttemptResult) =>
      problemsOfStatus(answer, 401, { what })
    await each(await tryAll(attempts, pool, wrong[kind]), judge, { of: 'of them: 401' })
  })
}

clause('auth.other-paths.updates', {
  must: 'not carry out an update without a key, whatever the path that leads to it',
  operation: 'assign.update',
  since: '0.2',
})(async ({ attempts, note }) =>
  note(await expectNotCarriedOut(attempts, await tryAll(attempts, pool, elsewhere))),
)

async function tryAll(
  { tryIn }: Attempts,
  pool: Pool,
  all: readonly Attempt[],
): Promise<AttemptResult[]> {
  const tried: AttemptResult[] = []
  for (const one of all) tried.push(await tryIn(pool, one))
  return tried
}
