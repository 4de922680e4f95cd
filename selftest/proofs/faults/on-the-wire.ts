import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Call, Refusal } from '../../../reference/calls/call.ts'
import { type Open, open } from '../../../reference/rules/open.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import type { Task } from '../../../reference/world/world.ts'
import { onTheWay } from '../bent/around.ts'
import { type Fault, faultsOf, maybe, type ProofRules } from '../fault.ts'
import {
  besides,
  isYearBefore,
  milliseconds,
  nearOnes,
  races,
  takesToo,
  wrongUnassign,
} from './concurrency.ts'

// What changes answers on their way, which no rule of the service tells.

type Body = Record<string, unknown>

/** The body of each task that is read, changed. */
const reading = (
  change: (body: string, path: string) => string | Buffer,
): Pick<Fault, 'front'> => ({
  front: onTheWay((send) => async (asked, ...more) => {
    const answer = await send(asked, ...more)
    const isTask = asked.method === 'GET' && asked.path.includes('/tasks/')
    if (answer.statusCode !== 200 || !isTask) return answer
    const changed = Buffer.from(change((await buffer(answer.body)).toString(), asked.path))
    const { 'content-length': _, ...headers } = answer.headers
    return { ...answer, headers, body: Readable.from([changed]) }
  }),
})

const readingMembers = (change: (task: Body) => Body) =>
  reading((text) => JSON.stringify(change(JSON.parse(text))))

const swapped = (one: string, other: string) => (of: Body) => ({
  ...of,
  [one]: of[other],
  [other]: of[one],
})

const inAssignment = (change: (assignment: Body) => Body) =>
  readingMembers((task) => ({
    ...task,
    assignment: task.assignment && change(task.assignment as Body),
  }))

/** Answers that were given before. */
function from(before: (given: readonly string[], at: number) => string | undefined) {
  const given: string[] = []
  return reading((text, path) => {
    given.push(`${path} ${text}`)
    const shown = before(given, given.length - 1) ?? `${path} ${text}`
    return shown.slice(shown.indexOf(' ') + 1)
  })
}

export const faults: Fault[] = [
  ...faultsOf('task.read.success', {
    'a read is written in UTF-16': reading((text) => Buffer.from(text, 'utf16le')),
    'a read is written in Latin-1': reading((text) => Buffer.from(text, 'latin1')),
    'a read comes twice in one body': reading((text) => text + text),
    'half of a read comes': reading((text) => text.slice(0, text.length / 2)),
    'a script stands behind a read': reading((text) => `${text}<script></script>`),
  }),
  ...faultsOf('task.read.identity task.read.identifiers', {
    'a read holds its id twice': reading((text) => text.replace(/\}$/, ',"id":"x"}')),
    'the id of a task is read without dashes': readingMembers(({ id, ...task }) => ({
      id: `${id}`.replaceAll('-', ''),
      ...task,
    })),
  }),
  ...faultsOf('task.read.assessment-resolves assign.only-the-assignment', readingMembers, {
    'in reads assessment_id and assessment_template_id are swapped': swapped(
      'assessment_id',
      'assessment_template_id',
    ),
    'in reads entity_id and institution_id are swapped': swapped('entity_id', 'institution_id'),
  }),
  ...faultsOf('assign.only-the-assignment', {
    'in reads name and c_name are swapped': readingMembers(swapped('name', 'c_name')),
  }),
  ...faultsOf({
    'in reads the assigner and the assignee are swapped': {
      ...inAssignment(swapped('assigned_by_id', 'assigned_to_id')),
      breaks: 'assign.*-to-user assign.*-to-team assign.persisted ?version.*',
    },
    'a comment is read in capital letters': {
      ...inAssignment(({ assignment_comment: comment, ...assignment }) => ({
        ...assignment,
        assignment_comment: typeof comment === 'string' ? comment.toUpperCase() : comment,
      })),
      breaks: 'assign.persisted assign.comment.plain ?assign.comment.* ?version.*',
    },
    'updated_at is read without its fraction': {
      ...reading((text) => text.replace(/("updated_at":"[^"]*)\.\d+Z/, '$1Z')),
      breaks: 'version.current-accepted',
    },
    'updated_at is read without its zone': {
      ...reading((text) => text.replace(/("updated_at":"[^"]*)Z/, '$1')),
      breaks: 'task.read.timestamps version.current-accepted',
    },
    'each task is read as it was at first': {
      ...from((given, at) => given.find((each) => each.split(' ')[0] === given[at]?.split(' ')[0])),
      breaks: 'assign.persisted ?assign.* ?version.*',
    },
    'every second read shows the read before it': {
      ...from((given, at) => (at % 2 === 1 ? given[at - 1] : undefined)),
      breaks: 'task.read.identity ?assign.* ?version.*',
    },
  }),
]

/** Longer than a request may take. */
const hanging = 2_500
/** Requests in which a version mismatch was met, and tasks that the caller reads again, and waits for. */
const [met, held] = [new WeakSet<Headers>(), new Set<string>()]

/** A gateway takes a refusal for a failure; a 5xx between accepted requests is the answer to its own. */
const byGateway = (status: number, told: Omit<ProofRules<Fault>, 'errorBody'>) => ({
  ...told,
  errorBody: (refused: Call & Refusal) =>
    refused.status === status
      ? { type: 'text/html', text: '<html><body><h1>Service Unavailable</h1></body></html>' }
      : open.errorBody(refused),
})

export const answeredByGateway = {
  keys: faultsOf({
    'each rejected key is answered 502 by a gateway': byGateway(502, {
      unauthorizedStatus: () => 502,
      breaks: `auth.missing-key.* auth.invalid-key.* auth.key-case.* auth.other-carriers*
        auth.other-paths ?auth.invalid-besides.* ?auth.refused-reveals-nothing`,
    }),
  }),
  ids: faultsOf({
    'each unknown id is answered 503 by a gateway': byGateway(503, {
      notFoundStatus: () => 503,
      breaks: 'task.read.not-found assessment.read.not-found assign.not-found.*',
    }),
  }),
  versions: faultsOf({
    'each wrong If-Match is answered 503 by a gateway': byGateway(503, {
      mismatchStatus: () => 503,
      breaks: `version.stale.* version.wrong.near version.wrong.older version.wrong.future
        ${wrongUnassign} version.star version.mismatch-answered ?version.wrong.*`,
    }),
  }),
}

/** Updates that were sent with the current version. */
const taken = new Set<string>()
/** The version of each task that was shown last. */
const shown = new Map<string, unknown>()

/** The versions that each task had, in order. */
const history = new Map<string, string[]>()

/** Versions whose last digit that is shown is not 0: else none that is shorter begins like them. */
const endsInNoZero: Stated['versionAfter'] = ({ fresh }) =>
  fresh.replace(/(\.\d\d)0/, (_, before) => `${before}1`)

export const versionForms = [
  ...faultsOf('version.required', 'ifMatchIsRequired', {
    'If-Match is not required for assign.update': ({ op }) => op !== 'assign.update',
    'If-Match is not required to assign to a team': ({ sent }) => sent.assigned_to_type !== 'TEAM',
  }),
  ...faultsOf('version.required.unassign', 'ifMatchIsRequired', {
    'If-Match is not required for assign.unassign': ({ op }) => op !== 'assign.unassign',
  }),
  ...faultsOf('version.star', takesToo, {
    'an If-Match of * is taken': ({ given }) => given === '*',
    'an If-Match of * is taken on unassign': ({ op, given }) =>
      op === 'assign.unassign' && given === '*',
  }),
  ...faultsOf('version.wrong.garbage version.wrong.garbage.status', takesToo, {
    'an If-Match that is no timestamp is taken': ({ given }) => given.startsWith('not'),
    'an If-Match that is no timestamp is taken on unassign': ({ op, given }) =>
      op === 'assign.unassign' && given.startsWith('not'),
  }),
  ...faultsOf(
    'version.wrong.cut version.wrong.shorter',
    (isMeant: (op: string) => boolean): Partial<Stated> => ({
      versionAfter: endsInNoZero,
      ...takesToo(
        ({ op, given, current }) =>
          isMeant(op) && given.length > 18 && current.startsWith(given.replace(/\D$/, '')),
      ),
    }),
    {
      'the beginning of the version is enough': () => true,
      'the beginning of the version is enough on unassign': (op) => op === 'assign.unassign',
    },
  ),
  ...faultsOf(`version.wrong.older ${wrongUnassign} ?version.wrong.repeated`, {
    'versions of the year before are taken': takesToo(isYearBefore),
  }),
  ...faultsOf('version.required version.required.unassign', {
    'If-Match is not required': { ifMatchIsRequired: () => false },
  }),
  ...faultsOf({
    'future versions are taken': {
      ...takesToo(({ given, current }) => milliseconds(given) > milliseconds(current)),
      breaks: 'version.wrong.future',
      mayBreak: `${nearOnes} ${besides} version.wrong.finer ${wrongUnassign}`,
    },
    'but for the last two, the versions that a task had are taken': {
      ...takesToo(({ task, given }) => {
        const before = history.get(task.id)?.slice(0, -2) ?? []
        return before.some((version) => version.startsWith(given.slice(0, -1)))
      }),
      versionAfter: ({ task, fresh }) => {
        history.set(task.id, [...(history.get(task.id) ?? []), task.updated_at])
        return fresh
      },
      breaks: 'version.stale.assign version.model ?version.stale.reassign',
    },
    'the version of another task is taken': {
      ...takesToo(({ task, given }) =>
        [...shown].some(([id, version]) => id !== task.id && version === given),
      ),
      fieldValue: ({ resource, field, record, value }) => {
        if (resource === 'task' && field === 'updated_at') shown.set((record as Task).id, value)
        return value
      },
      breaks: 'version.wrong.other-task ?version.model ?version.history ?version.stale.*',
    },
    'an update is taken once more with the version that it was accepted with': {
      versionMatches: (compared) => {
        const { task, sent, given } = compared
        const update = JSON.stringify([task.id, given, sent])
        const isRight = stated.versionMatches(compared)
        if (isRight) taken.add(update)
        return isRight || (task.assignment !== null && taken.has(update))
      },
      breaks: 'version.stale.reassign',
    },
    'an If-Match that is no timestamp is answered 400': {
      mismatchStatus: ({ given }) => (Number.isNaN(milliseconds(given)) ? 400 : 409),
      breaks: 'version.wrong.garbage.status version.star version.wrong.padded',
    },
    'an update that repeats the assignment is taken with any If-Match': {
      ...takesToo(
        ({ sent, task }) =>
          sent.assigned_to_id === task.assignment?.assigned_to_id &&
          sent.assigned_by_id === task.assignment?.assigned_by_id,
      ),
      breaks: `version.wrong.repeated version.stale.reassign ${maybe(races, besides)}`,
    },
    'an update in the name of the assignee is taken with any If-Match': {
      ...takesToo(({ sent, task }) => sent.assigned_by_id === task.assignment?.assigned_to_id),
      breaks: `version.wrong.repeated ${maybe(races, besides)}`,
    },
    'an If-Match with which the version begins is taken': {
      ...takesToo(({ given, current }) => current.startsWith(given)),
      breaks: 'version.wrong.garbage',
    },
    'an If-Match that differs in the last digit is taken on unassign': {
      ...takesToo(
        ({ op, given, current }) =>
          op === 'assign.unassign' && given.slice(0, -2) === current.slice(0, -2),
      ),
      breaks: `${wrongUnassign} ?version.wrong.near ?version.stale.unassign`,
    },
    'the zone of an If-Match is not looked at': {
      ...takesToo(({ given, current }) => given.slice(0, -6) === current.slice(0, -1)),
      breaks: 'version.wrong.zone',
    },
    'versions are compared to the hundredth of a second': {
      ...takesToo(
        ({ given, current }) =>
          given.slice(0, 22) === current.slice(0, 22) && /^[\d.:TZ-]+$/.test(given),
      ),
      breaks: `version.wrong.shorter version.wrong.near version.wrong.finer ${wrongUnassign}
        ?version.stale.* ${maybe(races)}`,
    },
    'digits beyond those that are shown are passed over': {
      ...takesToo(
        ({ given, current }) => given.endsWith('Z') && given.startsWith(current.slice(0, -1)),
      ),
      breaks: 'version.wrong.finer',
    },
    'the version is looked for within If-Match': {
      ...takesToo(({ given, current }) => given.includes(current)),
      breaks: 'version.wrong.padded',
    },
  }),
  ...faultsOf(
    'version.mismatch-answered',
    (rules: Partial<Stated & Open>) => ({ env: { TIMEOUT_MS: '1000' }, ...rules }),
    {
      'a version mismatch is never answered': {
        mismatchStatus: ({ headers }) => {
          met.add(headers)
          return 409
        },
        delay: ({ headers }) => (met.has(headers) ? hanging : 0),
      },
      'after each 409 a read of the task is not answered': {
        mismatchStatus: ({ id }) => {
          held.add(id)
          return 409
        },
        delay: ({ op, id, at }) =>
          op === 'task.read' && at === 'start' && held.delete(id) ? hanging : 0,
      },
    },
  ),
]
