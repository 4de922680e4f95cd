// Each thing that the contract names, dead in each way that applies to it.

import type { Call, Operation, Update } from '../../../reference/calls/call.ts'
import { open } from '../../../reference/rules/open.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import type { Task } from '../../../reference/world/world.ts'
import { ofAssessment, ofAssignment, ofErrors, ofTask } from '../../mutants/operators/fields.ts'
import type { Bent } from '../fault.ts'
import { allFilters, queries } from './queries.ts'
import { type Dead, few, refusals } from './way.ts'

// Operations

const clausesOf: Record<Exclude<Operation, 'unknown'>, string[]> = {
  'task.read': ['task.*'],
  'assessment.read': ['assessment.*'],
  'assign.update': ['assign.*'],
  'assign.unassign': ['assign.*'],
  export: ['export.csv.*', 'export.pdf.*'],
}

const texts = (isMeant: (call: Call) => boolean, all: string[]) =>
  all.map((text): [way: string, bent: Bent] => [
    text === '' ? 'always empty' : `always ${text}`,
    { stated: { answerText: (call) => (isMeant(call) ? text : stated.answerText(call)) } },
  ])

const readings = (['task.read', 'assessment.read'] as const).flatMap((op) => {
  const isMeant = (call: Call) => call.op === op
  return [...refusals(isMeant), ...texts(isMeant, ['', 'null', '{}', '[]'])].map(
    ([way, bent]): Dead => ({ name: `${op}: ${way}`, by: clausesOf[op], ...bent }),
  )
})

const updates = (['assign.update', 'assign.unassign'] as const).flatMap((op) => {
  const isMeant = (update: Call) => update.op === op
  const before = ({ task }: Update) => task.assignment
  const kept = (update: Update & { after: Task }) => (isMeant(update) ? update.task : update.after)
  const ways: [string, Bent][] = [
    ...refusals(isMeant),
    ['ignored', { stated: op === 'assign.update' ? { assigned: before } : { unassigned: before } }],
    ['ignored, with the version kept', { stated: { stored: kept, answered: kept } }],
    ['not stored', { stated: { stored: kept } }],
    ...texts(isMeant, ['', 'null', '{}']),
  ]
  return ways.map(([way, bent]) => ({ name: `${op}: ${way}`, by: clausesOf[op], ...bent }))
})

const files = (['csv', 'pdf'] as const).flatMap((type) => {
  const other = type === 'csv' ? 'pdf' : 'csv'
  const ways: [string, Bent][] = [
    ...refusals(({ op, query }) => op === 'export' && (query.get('file_type') ?? 'csv') === type),
    [
      'always empty',
      {
        stated: {
          file: ({ file, fileType }) => (fileType === type ? { ...file, content: '' } : file),
        },
      },
    ],
    [
      'always without an event',
      { stated: { rows: ({ events, fileType }) => (fileType === type ? [] : events) } },
    ],
    [
      'always all events',
      {
        stated: {
          filters: ({ filters, fileType }) => (fileType === type ? [] : filters),
          range: ({ range, fileType }) =>
            fileType === type ? { start: undefined, end: undefined } : range,
        },
      },
    ],
    [
      'the other type',
      {
        open: { queryText: ({ text }) => text.replace(`file_type=${type}`, `file_type=${other}`) },
      },
    ],
  ]
  return ways.map(([way, bent]) => ({
    ...few,
    name: `file_type=${type}: ${way}`,
    by: clausesOf.export,
    ...bent,
  }))
})

// Headers

const headers = (
  [
    [
      'apikey: ignored',
      { stated: { keyIsRequired: () => false, keyIsValid: () => true } },
      ['auth.*'],
    ],
    ['apikey: optional', { stated: { keyIsRequired: () => false } }, ['auth.*']],
    ['apikey: any', { stated: { keyIsValid: () => true } }, ['auth.*']],
    ['apikey: always refused', { stated: { keyIsValid: () => false } }, ['auth.*']],
    [
      'apikey: the opposite',
      { stated: { keyIsValid: ({ given, key }) => given !== key } },
      ['auth.*'],
    ],
    [
      'If-Match: ignored',
      { stated: { versionMatches: () => true, ifMatchIsRequired: () => false } },
      ['version.*'],
    ],
    ['If-Match: any', { stated: { versionMatches: () => true } }, ['version.*']],
    ['If-Match: optional', { stated: { ifMatchIsRequired: () => false } }, ['version.*']],
    ['If-Match: always refused', { stated: { versionMatches: () => false } }, ['version.*']],
    [
      'If-Match: the opposite',
      { stated: { versionMatches: ({ given, current }) => given !== current } },
      ['version.*'],
    ],
    ['Content-Type: ignored', { stated: { contentTypeIsRight: () => true } }, ['assign.*']],
    ['Content-Type: always refused', { stated: { contentTypeIsRight: () => false } }, ['assign.*']],
  ] satisfies [string, Bent, string[]][]
).map(([name, bent, by]) => ({ ...few, name, by, ...bent }))

// Members of answers

const members = {
  task: ofTask,
  assignment: ofAssignment.map((name) => name.replace('assignment.', '')),
  assessment: [...ofAssessment, ...ofErrors],
}

const ofMembers: Dead[] = (['task', 'assignment', 'assessment'] as const).flatMap((of) =>
  members[of].flatMap((name) => {
    const isMeant = ({ resource, field }: { resource: string; field: string }) =>
      resource === of && field === name
    const shows = (given: unknown): Bent => ({
      stated: { fieldValue: (at) => (isMeant(at) ? given : at.value) },
    })
    const ways: [string, Bent][] = [
      ['missing', { stated: { fieldIsShown: (at) => !isMeant(at) } }],
      ['always null', shows(null)],
      ['always empty', shows('')],
    ]
    const by = of === 'assessment' ? ['assessment.*'] : ['task.*', 'assign.*']
    return ways.map(([way, bent]) => ({ events: 50, name: `${of}.${name}: ${way}`, by, ...bent }))
  }),
)

// Statuses

const statuses: Dead[] = [200, 400, 500].flatMap((status) =>
  (
    [
      ['401', { unauthorizedStatus: () => status }, ['auth.*']],
      [
        '404 of a task',
        { notFoundStatus: ({ op }) => (op === 'assessment.read' ? 404 : status) },
        ['task.*', 'assign.not-found.*'],
      ],
      [
        '404 of an assessment',
        { notFoundStatus: ({ op }) => (op === 'assessment.read' ? status : 404) },
        ['assessment.*'],
      ],
      ['409', { mismatchStatus: () => status }, ['version.*']],
      ...(status === 400
        ? []
        : ([
            [
              '400 of a reversed range',
              {
                rangeRefusal: (asked) =>
                  stated.rangeRefusal(asked) && (status === 200 ? undefined : status),
              },
              ['export.range.*'],
            ],
          ] satisfies [string, Partial<Stated>, string[]][])),
      [
        '200 of an export',
        { exportStatus: () => (status === 200 ? 201 : status) },
        ['export.*.status'],
      ],
    ] satisfies [string, Partial<Stated>, string[]][]
  ).map(([what, bent, by]) => ({
    ...few,
    name: `${what}: ${what.startsWith('200') && status === 200 ? 201 : status}`,
    by,
    stated: bent,
  })),
)

// Transitions, comments, events, mails

const states = ['unassigned', 'USER', 'TEAM'] as const
const transitions: Dead[] = states.flatMap((from) =>
  states
    .filter((to) => from !== 'unassigned' || to !== 'unassigned')
    .flatMap((to) => {
      const isMeant = ({ op, task, sent }: Update) =>
        (task.assignment?.assigned_to_type ?? 'unassigned') === from &&
        (op === 'assign.unassign' ? 'unassigned' : sent.assigned_to_type) === to
      const refusing = (status: number): Bent => ({
        stated: { transitionRefusal: (update) => (isMeant(update) ? status : undefined) },
      })
      const becomes = (assignment: (update: Update) => Update['task']['assignment']): Bent => ({
        stated: {
          assigned: (update) => (isMeant(update) ? assignment(update) : stated.assigned(update)),
          unassigned: (update) =>
            isMeant(update) ? assignment(update) : stated.unassigned(update),
        },
      })
      return (
        [
          ['ignored', becomes(({ task }) => task.assignment)],
          ['always refused', refusing(400)],
          ['always failing', refusing(500)],
          ...(to === 'unassigned'
            ? []
            : [['the opposite', becomes(() => null)] satisfies [string, Bent]]),
        ] satisfies [string, Bent][]
      ).map(([way, bent]) => ({
        events: 50,
        name: `${from} to ${to}: ${way}`,
        by: ['assign.*'],
        ...bent,
      }))
    }),
)

const isOf = (op: Operation) => (call: Call) => call.op === op
const comments: Dead[] = (
  [
    ['of an assignment: ignored', { stated: { comment: () => null } }, 'assign.*'],
    ['of an assignment: always empty', { stated: { comment: () => '' } }, 'assign.*'],
    ['always refused', { open: { commentIsTaken: () => false } }, 'assign.*'],
    [
      'of an assignment: always refused',
      { open: { commentIsTaken: (call) => call.op !== 'assign.update' } },
      'assign.*',
    ],
    [
      'of an unassignment: always refused',
      { open: { commentIsTaken: (call) => !isOf('assign.unassign')(call) } },
      'assign.*',
    ],
    [
      'always failing',
      {
        open: {
          commentIsTaken: () => false,
          invalidBodyStatus: (asked) =>
            asked.flaw === 'comment' ? 500 : open.invalidBodyStatus(asked),
        },
      },
      'assign.*',
    ],
    [
      'of an assignment: not recorded',
      {
        stated: {
          recorded: ({ event, kind }) => [
            kind === 'unassigned' ? event : { ...event, comment: '' },
          ],
        },
      },
      'audit.*',
    ],
    [
      'of an unassignment: not recorded',
      {
        stated: {
          recorded: ({ event, kind }) => [
            kind === 'unassigned' ? { ...event, comment: '' } : event,
          ],
        },
      },
      'audit.*',
    ],
    ['in the mail: ignored', { stated: { mailComment: () => '' } }, 'notify.*'],
  ] satisfies [string, Bent, string][]
).map(([name, bent, by]) => ({ events: 100, name: `comment ${name}`, by: [by], ...bent }))

const kinds = ['assigned', 'reassigned', 'unassigned'] as const
const events: Dead[] = kinds.map((kind) => ({
  events: 100,
  name: `event of ${kind}: not recorded`,
  by: ['audit.*'],
  stated: { recorded: (change) => (change.kind === kind ? [] : [change.event]) },
}))

const mails: Dead[] = (
  [
    ['to a user', (change) => change.sent.assigned_to_type === 'USER'],
    ['to a team', (change) => change.sent.assigned_to_type === 'TEAM'],
    ['of a reassignment', (change) => change.kind === 'reassigned'],
    ['of any kind', () => true],
  ] satisfies [string, (change: Parameters<Stated['mailed']>[0]) => boolean][]
).flatMap(([what, isMeant]) => [
  {
    events: 50,
    name: `mail ${what}: never sent`,
    by: ['notify.*'],
    stated: { mailed: (change) => (isMeant(change) ? [] : stated.mailed(change)) },
  } satisfies Dead,
  {
    events: 50,
    name: `mail ${what}: to others`,
    by: ['notify.*'],
    stated: {
      mailed: (change) => {
        const meant = stated.mailed(change)
        return isMeant(change)
          ? change.users.filter((user) => !meant.includes(user)).slice(0, meant.length)
          : meant
      },
    },
  } satisfies Dead,
])

// The limit of a PDF

const limit: Dead[] = (
  [
    ['ignored', () => undefined],
    ['always refused', ({ fileType }) => (fileType === 'pdf' ? 400 : undefined)],
    [
      'always failing',
      ({ fileType, count, limit }) => (fileType === 'pdf' && count > limit ? 500 : undefined),
    ],
    [
      'the opposite',
      ({ fileType, count, limit }) => (fileType === 'pdf' && count <= limit ? 400 : undefined),
    ],
    ['of CSVs too', ({ count, limit }) => (count > limit ? 400 : undefined)],
    [
      'a tenth',
      ({ fileType, count, limit }) => (fileType === 'pdf' && count > limit / 10 ? 400 : undefined),
    ],
    [
      'tenfold',
      ({ fileType, count, limit }) => (fileType === 'pdf' && count > limit * 10 ? 400 : undefined),
    ],
  ] satisfies [string, Stated['sizeRefusal']][]
).map(([way, sizeRefusal]) => ({
  events: 1_200,
  pdfLimit: 300,
  name: `limit of a PDF: ${way}`,
  by: ['export.pdf-limit.*'],
  stated: { sizeRefusal },
}))

export const dead: Dead[] = [
  ...readings,
  ...updates,
  ...files,
  ...headers,
  ...allFilters,
  ...queries,
  ...ofMembers,
  ...statuses,
  ...transitions,
  ...comments,
  ...events,
  ...mails,
  ...limit,
]
