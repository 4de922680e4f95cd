// Each thing that the contract names, dead in each way that applies to it.
import { fieldsOf } from '../../helpers/contract/fields.ts'
import type { Call, Update } from '../../reference/calls/call.ts'
import { metadataKeys } from '../../reference/calls/events.ts'
import { type Filter, parameters } from '../../reference/calls/export-call.ts'
import { open } from '../../reference/rules/open.ts'
import { type Stated, stated } from '../../reference/rules/stated.ts'
import type { Task } from '../../reference/world/world.ts'
import { type Bent, type ProofRules, proofOf, tableOf } from './fault.ts'
import { goes } from './faults/assignment.ts'

/** A service in which one named thing is dead, and the clauses that run first. */
export type Dead = Bent & { name: string; by: string[] }

/** Bent rules by the way in which a thing is dead. */
type Ways = Readonly<Record<string, Omit<ProofRules<Dead>, 'by'>>>

/** Few events are enough unless the thing is about many. */
const few: Bent = { events: 300 }

/** A thing that is dead in each of these ways. */
const deadIn = (thing: string, by: string | string[], ways: Ways, more = few): Dead[] =>
  Object.entries(ways).map(([way, told]) =>
    proofOf<Dead>()(`${thing}${way}`, { by: [by].flat(), ...more, ...told }),
  )

/** Refuses such a request after the key was accepted. */
const answers = (status: number, isMeant: (call: Call) => boolean) => ({
  permits: (call: Call) => !isMeant(call),
  forbiddenStatus: () => status,
})

/** The two ways in which a service refuses all requests of a kind. */
const refusals = (isMeant: (call: Call) => boolean): Ways => ({
  'always refused': answers(400, isMeant),
  'always failing': answers(500, isMeant),
})

const withoutParameter =
  (name: string) =>
  ({ text }: { text: string }) => {
    const query = new URLSearchParams(text)
    for (const key of [...query.keys()]) if (isNamed(key, name)) query.delete(key)
    return query.toString()
  }
const isNamed = (key: string, name: string) => key === name || key.startsWith(`${name}[`)
const isGiven =
  (name: string) =>
  ({ op, query }: Call) =>
    op === 'export' && [...query.keys()].some((key) => isNamed(key, name))

const inOpposite: Ways = {
  range_start: { isFrom: ({ time, start }) => time < start },
  range_end: { isUpTo: ({ time, end }) => time > end },
  locale: {
    queryText: ({ text }) =>
      text.replace(/locale=(en|de)\b/, (_, code) => `locale=${code === 'en' ? 'de' : 'en'}`),
  },
  timezone: { offset: ({ offset }) => -offset },
}
const opposite = (isMeant: (filter: Filter) => boolean): Ways => ({
  'the opposite': {
    valueMatches: ({ filter, value, given }) =>
      isMeant(filter) ? value !== given : value === given,
  },
})

const parameter = (name: string, by: string, more: Ways): Dead[] =>
  deadIn(`${name}: `, by, {
    ignored: { queryText: withoutParameter(name) },
    ...refusals(isGiven(name)),
    'always empty': { rows: (asked) => (isGiven(name)(asked) ? [] : asked.events) },
    ...more,
  })

const filtering = (name: string, by: string, isMeant: (filter: Filter) => boolean) =>
  parameter(name, by, opposite(isMeant))

const clausesOf = {
  range_start: 'export.range.*',
  range_end: 'export.range.*',
  file_type: 'export.default-*',
  locale: 'export.locale*',
  timezone: 'export.timezone.*',
}

const queries: Dead[] = [
  ...parameters.flatMap((name) =>
    filtering(name, `export.filter.${name}.*`, (filter) => filter.name === name),
  ),
  ...metadataKeys.flatMap((key) =>
    filtering(`metadata[${key}]`, `export.metadata.${key}.*`, ({ name }) => name === key),
  ),
  ...filtering('metadata', 'export.metadata.*', ({ of }) => of === 'metadata'),
  ...Object.entries(clausesOf).flatMap(([name, by]) => {
    const other = inOpposite[name]
    return parameter(name, by, other ? { 'the opposite': other } : {})
  }),
]

const texts = (isMeant: (call: Call) => boolean, all: string[]): Ways =>
  Object.fromEntries(
    all.map((text) => {
      const answerText: Stated['answerText'] = (call) =>
        isMeant(call) ? text : stated.answerText(call)
      return [`always ${text || 'empty'}`, { answerText }]
    }),
  )

const members = {
  task: fieldsOf('task'),
  assignment: fieldsOf('assignment'),
  assessment: fieldsOf('assessment'),
}

const states = ['unassigned', 'USER', 'TEAM'] as const

const hundred = { events: 100 }

const events: Dead[] = (['assigned', 'reassigned', 'unassigned'] as const).flatMap((kind) => {
  const recorded: Stated['recorded'] = (change) => (change.kind === kind ? [] : [change.event])
  return deadIn(`event of ${kind}: `, 'audit.*', { 'not recorded': { recorded } }, hundred)
})

const refusedWhere =
  (
    isRefused: (asked: { count: number; limit: number }) => boolean,
    status = 400,
  ): Stated['sizeRefusal'] =>
  (asked) =>
    asked.fileType === 'pdf' && isRefused(asked) ? status : undefined

const limit = deadIn(
  'limit of a PDF: ',
  'export.pdf-limit.*',
  {
    ignored: { sizeRefusal: () => undefined },
    'always refused': { sizeRefusal: refusedWhere(() => true) },
    'always failing': { sizeRefusal: refusedWhere(({ count, limit }) => count > limit, 500) },
    'the opposite': { sizeRefusal: refusedWhere(({ count, limit }) => count <= limit) },
    'a tenth': { sizeRefusal: refusedWhere(({ count, limit }) => count > limit / 10) },
    tenfold: { sizeRefusal: refusedWhere(({ count, limit }) => count > limit * 10) },
  },
  { events: 1_200, pdfLimit: 300 },
)

export const dead: Dead[] = [
  ...(['task', 'assessment'] as const).flatMap((of) => {
    const isMeant = ({ op }: Call) => op === `${of}.read`
    const ways = { ...refusals(isMeant), ...texts(isMeant, ['', 'null', '{}', '[]']) }
    return deadIn(`${of}.read: `, `${of}.*`, ways, {})
  }),
  ...(['assign.update', 'assign.unassign'] as const).flatMap((op) => {
    const isMeant = (update: Call) => update.op === op
    const before = ({ task }: Update) => task.assignment
    const kept = (update: Update & { after: Task }) =>
      isMeant(update) ? update.task : update.after
    const ways: Ways = {
      ...refusals(isMeant),
      ignored: op === 'assign.update' ? { assigned: before } : { unassigned: before },
      'ignored, with the version kept': { stored: kept, answered: kept },
      'not stored': { stored: kept },
      ...texts(isMeant, ['', 'null', '{}']),
    }
    return deadIn(`${op}: `, 'assign.*', ways, {})
  }),
  ...(['csv', 'pdf'] as const).flatMap((type) => {
    const other = type === 'csv' ? 'pdf' : 'csv'
    return deadIn(`file_type=${type}: `, ['export.csv.*', 'export.pdf.*'], {
      ...refusals(({ op, query }) => op === 'export' && (query.get('file_type') ?? 'csv') === type),
      'always empty': {
        file: ({ file, fileType }) => (fileType === type ? { ...file, content: '' } : file),
      },
      'always without an event': {
        rows: ({ events, fileType }) => (fileType === type ? [] : events),
      },
      'always all events': {
        filters: ({ filters, fileType }) => (fileType === type ? [] : filters),
        range: ({ range, fileType }) =>
          fileType === type ? { start: undefined, end: undefined } : range,
      },
      'the other type': {
        queryText: ({ text }) => text.replace(`file_type=${type}`, `file_type=${other}`),
      },
    })
  }),
  ...deadIn('apikey: ', 'auth.*', {
    ignored: { keyIsRequired: () => false, keyIsValid: () => true },
    optional: { keyIsRequired: () => false },
    any: { keyIsValid: () => true },
    'always refused': { keyIsValid: () => false },
    'the opposite': { keyIsValid: ({ given, key }) => given !== key },
  }),
  ...deadIn('If-Match: ', 'version.*', {
    ignored: { versionMatches: () => true, ifMatchIsRequired: () => false },
    any: { versionMatches: () => true },
    optional: { ifMatchIsRequired: () => false },
    'always refused': { versionMatches: () => false },
    'the opposite': { versionMatches: ({ given, current }) => given !== current },
  }),
  ...deadIn('Content-Type: ', 'assign.*', {
    ignored: { otherMediaTypeIsTaken: () => true },
    'always refused': { contentTypeIsRight: () => false },
  }),
  ...deadIn('the four array parameters: ', 'export.filter.*', {
    ignored: { filters: ({ filters }) => filters.filter(({ of }) => of === 'metadata') },
    ...refusals((call) => parameters.some((name) => isGiven(name)(call))),
    'always empty': {
      rows: ({ events, filters }) => (filters.some(({ of }) => of === 'event') ? [] : events),
    },
    ...opposite(({ of }) => of === 'event'),
  }),
  ...queries,
  ...(['task', 'assignment', 'assessment'] as const).flatMap((of) =>
    members[of].flatMap((name) => {
      const isMeant = ({ resource, field }: { resource: string; field: string }) =>
        resource === of && field === name
      const ways: Ways = {
        missing: { fieldIsShown: (at) => !isMeant(at) },
        'always null': { fieldValue: (at) => (isMeant(at) ? null : at.value) },
        'always empty': { fieldValue: (at) => (isMeant(at) ? '' : at.value) },
      }
      const by = of === 'assessment' ? 'assessment.*' : ['task.*', 'assign.*']
      return deadIn(`${of}.${name}: `, by, ways, { events: 50 })
    }),
  ),
  ...[200, 400, 500].flatMap((status) => {
    const isOfAssessment = ({ op }: Call) => op === 'assessment.read'
    const rangeRefusal: Stated['rangeRefusal'] = (asked) =>
      stated.rangeRefusal(asked) && (status === 200 ? undefined : status)
    const exported = status === 200 ? 201 : status
    return [
      ...deadIn('401: ', 'auth.*', { [status]: { unauthorizedStatus: () => status } }),
      ...deadIn('404 of a task: ', ['task.*', 'assign.not-found.*'], {
        [status]: { notFoundStatus: (call) => (isOfAssessment(call) ? 404 : status) },
      }),
      ...deadIn('404 of an assessment: ', 'assessment.*', {
        [status]: { notFoundStatus: (call) => (isOfAssessment(call) ? status : 404) },
      }),
      ...deadIn('409: ', 'version.*', { [status]: { mismatchStatus: () => status } }),
      ...(status === 400
        ? []
        : deadIn('400 of a reversed range: ', 'export.range.*', { [status]: { rangeRefusal } })),
      ...deadIn('200 of an export: ', 'export.*.status', {
        [exported]: { exportStatus: () => exported },
      }),
    ]
  }),
  ...states.flatMap((from) =>
    states
      .filter((to) => from !== 'unassigned' || to !== 'unassigned')
      .flatMap((to) => {
        const isMeant = (update: Update) => goes(update, [from, to])
        const refusing = (status: number) => ({
          transitionRefusal: (update: Update) => (isMeant(update) ? status : undefined),
        })
        const becomes = (assignment: (update: Update) => Task['assignment']): Partial<Stated> => ({
          assigned: (update) => (isMeant(update) ? assignment(update) : stated.assigned(update)),
          unassigned: (update) =>
            isMeant(update) ? assignment(update) : stated.unassigned(update),
        })
        const ways: Ways = {
          ignored: becomes(({ task }) => task.assignment),
          'always refused': refusing(400),
          'always failing': refusing(500),
          ...(to !== 'unassigned' && { 'the opposite': becomes(() => null) }),
        }
        return deadIn(`${from} to ${to}: `, 'assign.*', ways, { events: 50 })
      }),
  ),
  ...deadIn(
    'comment ',
    'assign.*',
    {
      'of an assignment: ignored': { comment: () => null },
      'of an assignment: always empty': { comment: () => '' },
      'always refused': { commentIsTaken: () => false },
      'of an assignment: always refused': { commentIsTaken: ({ op }) => op !== 'assign.update' },
      'of an unassignment: always refused': {
        commentIsTaken: ({ op }) => op !== 'assign.unassign',
      },
      'always failing': {
        commentIsTaken: () => false,
        invalidBodyStatus: (asked) =>
          asked.flaw === 'comment' ? 500 : open.invalidBodyStatus(asked),
      },
    },
    hundred,
  ),
  ...deadIn(
    'comment ',
    'audit.*',
    {
      'of an assignment: not recorded': {
        recorded: ({ event, kind }) => [kind === 'unassigned' ? event : { ...event, comment: '' }],
      },
      'of an unassignment: not recorded': {
        recorded: ({ event, kind }) => [kind === 'unassigned' ? { ...event, comment: '' } : event],
      },
    },
    hundred,
  ),
  ...deadIn('comment in the mail: ', 'notify.*', { ignored: { mailComment: () => '' } }, hundred),
  ...events,
  ...tableOf<[string, (change: Parameters<Stated['mailed']>[0]) => boolean]>([
    ['to a user', (change) => change.sent.assigned_to_type === 'USER'],
    ['to a team', (change) => change.sent.assigned_to_type === 'TEAM'],
    ['of a reassignment', (change) => change.kind === 'reassigned'],
    ['of any kind', () => true],
  ]).flatMap(([what, isMeant]) => {
    const ways: Ways = {
      'never sent': { mailed: (change) => (isMeant(change) ? [] : stated.mailed(change)) },
      'to others': {
        mailed: (change) => {
          const meant = stated.mailed(change)
          return isMeant(change)
            ? change.users.filter((user) => !meant.includes(user)).slice(0, meant.length)
            : meant
        },
      },
    }
    return deadIn(`mail ${what}: `, 'notify.*', ways, { events: 50 })
  }),
  ...limit,
]

const nullable =
  'Which task fields other than assignment, custom_metadata and name can be null: not shown.'

const untold =
  'The table names types; which fields of an assessment can be null is not stated (observed by assessment.read.nulls).'

/**
 * Dead things that may end green, as globs of their names, each with the sentence of the contract that
 * leaves the choice to the service.
 */
export const free: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['*_id', 'c_name', 'step_name', '*_at', 'data_version', 'status'].map((field) => [
      `task.${field}: always null`,
      nullable,
    ]),
  ),
  'task.name: always null': 'name | string or null | Task name; may be null.',
  'task.custom_metadata: always null':
    'custom_metadata | object or null | Can be an empty object or null.',
  'task.c_name: always empty': 'c_name | string | Task name value.',
  'task.name: always empty': 'name | string or null | Task name; may be null.',
  'task.status: always empty': 'Allowed values of status other than INCOMPLETE: not shown.',
  'task.step_name: always empty':
    'step_name | string | Name of the workflow step the task belongs to.',
  ...Object.fromEntries(
    ['*_id', 'created_at', 'error_*'].map((field) => [`assessment.${field}: always null`, untold]),
  ),
  'Content-Type: ignored': 'Content-Type | yes | application/json',
  'locale: ignored': 'List of supported locales: not shown.',
}
