import type { Operation } from '../../../reference/calls/call.ts'
import { open } from '../../../reference/rules/open.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import { anotherRegion, atOtherPaths, byExactName, outsideProxy } from '../bent/around.ts'
import { type Fault, fault, faultsOf } from '../fault.ts'

const operations = [
  'task.read',
  'assign.update',
  'assign.unassign',
  'assessment.read',
  'export',
] as const
const withId = operations.filter((operation) => operation !== 'export')
// What asks every read at once.
const isRead = (operation: Operation) => !operation.startsWith('assign.')

/** What is asked without a key at other paths, or right behind the request with one. */
const otherForms = ['auth.other-paths*', 'auth.missing-key.files']

/** A cached read is given for this long to every client, without a key too. */
function readsKept(ms: number): Partial<Stated> {
  const until = new Map<string, number>()
  return {
    keyIsRequired: ({ op, id }) =>
      !op.endsWith('.read') || (until.get(`${op} ${id}`) ?? 0) < Date.now(),
    keyIsValid: (call) => {
      if (!stated.keyIsValid(call)) return false
      until.set(`${call.op} ${call.id}`, Date.now() + ms)
      return true
    },
  }
}

const otherPaths = (method: string) => (own: (path: string) => string) => ({
  front: atOtherPaths(own, (asked) => asked.method === method),
})

export const faults: Fault[] = [
  ...operations.flatMap((operation): Fault[] => {
    const only = (call: { op: Operation }) => call.op === operation
    const keyToo = (isLetIn: (given: string, key: string) => boolean): Partial<Stated> => ({
      keyIsValid: ({ given, key, ...call }) => given === key || (only(call) && isLetIn(given, key)),
    })
    const carriers = isRead(operation) ? ['auth.other-carriers', 'auth.other-carriers.query'] : []
    const isTriedSo = operation.startsWith('assign.') || operation === 'export'
    const besides = isTriedSo ? [`auth.invalid-besides.${operation}.status`] : []
    return [
      fault(`${operation}: a missing key is let in`, {
        keyIsRequired: (call) => !only(call),
        breaks: [`auth.missing-key.${operation}`, ...carriers, ...besides],
        mayBreak: otherForms,
      }),
      ...faultsOf(`auth.invalid-key.${operation}`, keyToo, {
        [`${operation}: an empty key is let in`]: (given) => given === '',
        [`${operation}: a part of the key is enough`]: (given, key) =>
          given.length > 8 && key.startsWith(given),
        [`${operation}: only the beginning of the key is looked at`]: (given, key) =>
          given.startsWith(key),
        [`${operation}: the key is looked for in a list divided by commas`]: (given, key) =>
          given.split(',').includes(key),
      }),
      ...faultsOf(`auth.key-case.${operation}`, keyToo, {
        [`${operation}: the key is compared without case`]: (given, key) =>
          given.toLowerCase() === key.toLowerCase(),
      }),
      fault(`${operation}: 403 in place of 401`, {
        unauthorizedStatus: (call) => (only(call) ? 403 : 401),
        breaks: [
          ...['missing-key', 'invalid-key', 'key-case'].map((of) => `auth.${of}.${operation}`),
          ...(operation === 'export' ? [] : [`auth.before-lookup.${operation}`]),
          ...besides,
          ...carriers,
        ],
        mayBreak: otherForms,
      }),
    ]
  }),
  ...withId.map((operation) =>
    fault(`${operation}: the id is looked up before the key`, {
      order: (call) =>
        call.op === operation ? ['path', 'found', 'key'] : ['key', 'path', 'found'],
      breaks: [`auth.before-lookup.${operation}`],
    }),
  ),
  ...faultsOf(
    `auth.missing-key.task.read auth.missing-key.assessment.read ?auth.other-*
      ?auth.refused-reveals-nothing ?task.* ?assessment.*`,
    readsKept,
    {
      'what was read is kept for 30 ms before the key is looked at': 30,
      'what was read is kept for 5000 ms before the key is looked at': 5_000,
    },
  ),
  ...faultsOf('auth.other-paths', otherPaths('GET'), {
    'a slash behind the path of a read leads past the key': (path) => path.replace(/\/$/, ''),
    'a doubled slash before an export leads past the key': (path) =>
      path.replace(/\/\/(?=audit)/, '/'),
    'an encoded letter leads past the key': (path) => path.replaceAll('%61', 'a'),
    'a suffix behind an assessment leads past the key': (path) =>
      path.replace(/(assess.*)\.json$/, '$1'),
    'a parameter behind an export leads past the key': (path) => path.replace(/(export);.*$/, '$1'),
    'capital letters of tasks leads past the key': (path) => path.replace('TASKS', 'tasks'),
  }),
  ...faultsOf('auth.other-paths.updates', otherPaths('PUT'), {
    'a slash behind the path of an update leads past the key': (path) => path.replace(/\/$/, ''),
    'a doubled slash before an update leads past the key': (path) => path.replace('//', '/'),
  }),
  ...(['assign.update', 'assign.unassign'] as const).flatMap((operation): Fault[] => [
    fault(`${operation}: If-Match is looked at before the key`, {
      order: (call) => (call.op === operation ? ['if-match', 'version', 'key'] : open.order(call)),
      breaks: `auth.invalid-besides.${operation}.status ?auth.before-lookup.*`,
    }),
    fault(`${operation}: a missing If-Match lets a call in without a key, and is not required`, {
      keyIsRequired: ({ op, headers }) => op !== operation || headers.has('if-match'),
      keyIsValid: ({ op, headers, given, key }) =>
        given === key || (op === operation && !headers.has('if-match')),
      ifMatchIsRequired: ({ op }) => op !== operation,
      breaks: [`auth.invalid-besides.${operation}`, `auth.invalid-besides.${operation}.status`],
      mayBreak: 'version.required* auth.missing-key.assign.* auth.invalid-key.assign.*',
    }),
    fault(`${operation}: refused with 401, and carried out all the same`, {
      effectOfRefusal: ({ op, reason }) =>
        op === operation && reason === 'unauthorized' ? 'carried out' : 'none',
      breaks: `auth.refused-changes-nothing auth.invalid-besides.${operation}`,
      mayBreak: ['task.read.assignment', ...otherForms],
    }),
    fault(`${operation}: refused with 401, and the name of the task counts that`, {
      effectOfRefusal: ({ op, reason, task }) =>
        op === operation && reason === 'unauthorized' ? { name: `${task.name}!` } : 'none',
      breaks: 'auth.refused-changes-nothing ?assign.only-the-assignment',
    }),
  ]),
  ...faultsOf('auth.other-carriers', 'givenKey', {
    'the key is taken from Authorization too': (call) =>
      stated.givenKey(call) ?? call.headers.get('authorization')?.replace('Bearer ', '') ?? null,
    'the key is taken from X-Api-Key too': (call) =>
      stated.givenKey(call) ?? call.headers.get('x-api-key'),
    'the key is taken from X-Api-Key too, where tasks are assigned': (call) =>
      stated.givenKey(call) ?? (call.op === 'assign.update' ? call.headers.get('x-api-key') : null),
  }),
  ...faultsOf(
    'auth.invalid-key.* auth.key-case.* auth.before-lookup.* auth.invalid-besides.*.status',
    { 'any key is let in': { keyIsValid: () => true } },
  ),
  ...faultsOf('auth.wrong-region', {
    'another region takes the key': { surroundings: () => anotherRegion({ sameKey: true }) },
  }),
  ...faultsOf({
    'the header of the key is known by its name in lower case alone': {
      front: byExactName('apikey'),
      breaks: 'auth.header-case ?assign.header-forms',
    },
    'an update with the key as Authorization breaks down': {
      unauthorizedStatus: (call) =>
        call.op === 'assign.update' && call.headers.get('authorization') ? 500 : 401,
      breaks: 'auth.other-carriers',
    },
    'an export without a query needs no key': {
      keyIsRequired: ({ op, query }) => op !== 'export' || query.size > 0,
      breaks: 'auth.missing-key.export',
    },
    'the key is taken from the query too': {
      givenKey: (call) => stated.givenKey(call) ?? call.query.get('apikey'),
      breaks: 'auth.other-carriers.query',
    },
    'a 401 shows what was asked for': {
      refusalBody: ({ body, record, reason }) =>
        reason === 'unauthorized'
          ? { type: 'application/json', text: JSON.stringify({ error: 'no', record }) }
          : body,
      breaks: 'auth.refused-reveals-nothing',
    },
    'what is read shows its id alone': {
      fieldIsShown: ({ op, field }) => !op.endsWith('.read') || field === 'id',
      breaks: 'task.read.fields assessment.read.fields assessment.read.error-fields',
    },
    'the allow list is not looked at': {
      allowedAddresses: () => ['127.0.0.1'],
      addressIsAllowed: () => true,
      surroundings: outsideProxy,
      breaks: 'auth.ip-allow-list',
    },
  }),
]
