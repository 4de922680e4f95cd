import { changeJson } from './json.ts'
import {
  type Answer,
  bytesOf,
  type Operation,
  type Operator,
  onSuccess,
  operations,
  operator,
  textOf,
  withHeader,
  withText,
} from './operator.ts'

const success = (operation: Operation, statuses: readonly number[]) =>
  statuses.map((status) =>
    operator(
      operation,
      'status',
      `success-${status}`,
      `answers ${status} where all went well`,
      onSuccess((answer) => ({
        ...answer,
        status,
        body: status === 204 ? bytesOf('') : answer.body,
      })),
    ),
  )

const failure = (operation: Operation, was: number, statuses: readonly number[]) =>
  statuses.map((status) =>
    operator(operation, 'status', `${was}-${status}`, `answers ${status} in place of ${was}`, {
      to: 'answer',
      with: was,
      by: (answer) => ({ ...answer, status }),
    }),
  )

/** The server of these runs writes text/plain where there is no content type: `none` is not made. */
const header = (
  operation: Operation,
  name: string,
  part: string,
  value: string | undefined,
): Operator =>
  operator(
    operation,
    'header',
    `${name}-${part}`,
    value === undefined ? `leaves out the header ${name}` : `gives the header ${name} as ${value}`,
    onSuccess((answer) => withHeader(answer, name, value)),
  )

const body = (
  operation: Operation,
  part: string,
  what: string,
  by: (answer: Answer) => Answer | undefined,
): Operator => operator(operation, 'body', part, what, onSuccess(by))

const page = '<!doctype html><html><body><h1>Service Unavailable</h1></body></html>'
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))

function bodies(operation: Operation): Operator[] {
  return [
    body(operation, 'none', 'answers with no body', (a) => withText(a, '')),
    body(operation, 'cut', 'cuts the last third of the body', (a) => ({
      ...a,
      body: a.body.slice(0, Math.floor((a.body.length * 2) / 3)),
    })),
    body(operation, 'page', 'answers an HTML error page with the status of success', (a) =>
      withHeader(withText(a, page), 'content-type', 'text/html'),
    ),
  ]
}

function jsonBodies(operation: Operation): Operator[] {
  return [
    body(operation, 'null', 'answers the JSON value null', (a) => withText(a, 'null')),
    body(operation, 'object', 'answers an empty object', (a) => withText(a, '{}')),
    body(operation, 'list', 'wraps the resource in a list', (a) =>
      changeJson(a, (members) => [members]),
    ),
    body(operation, 'envelope', 'wraps the resource in {"data": ...}', (a) =>
      changeJson(a, (members) => ({ data: members })),
    ),
    body(operation, 'text', 'gives the resource as a JSON string that holds JSON', (a) =>
      withText(a, JSON.stringify(textOf(a))),
    ),
    body(operation, 'twice', 'writes the JSON text twice in a row', (a) =>
      withText(a, textOf(a) + textOf(a)),
    ),
  ]
}

const oddBodies: readonly Operator[] = [
  body('task.read', 'reorder', 'gives the members in the opposite order', (a) =>
    changeJson(a, (members) => Object.fromEntries(Object.entries(members).reverse())),
  ),
  body('task.read', 'more', 'gives a member that the contract does not list', (a) =>
    changeJson(a, (members) => ({ ...members, tenant_secret: 'value' })),
  ),
  body('task.read', 'mark', 'begins the text with a byte order mark', (a) =>
    withText(a, `\ufeff${textOf(a)}`),
  ),
  body('task.read', 'utf16', 'writes the text in UTF-16', (a) => ({
    ...a,
    body: utf16(textOf(a)),
  })),
  body('assign.update', 'more', 'gives a member that the contract does not list', (a) =>
    changeJson(a, (members) => ({ ...members, previous_assignment: null })),
  ),
  body('assign.update', 'assignment-only', 'answers the assignment and not the task', (a) =>
    changeJson(a, (members) => members.assignment),
  ),
  body('assessment.read', 'reorder', 'gives the members in the opposite order', (a) =>
    changeJson(a, (members) => Object.fromEntries(Object.entries(members).reverse())),
  ),
]

/** What an error answer says about its body is not shown; a leak of the key is still a bug. */
const errorBodies: readonly Operator[] = [
  operator('task.read', 'body', '404-empty', 'answers 404 with an empty body', {
    to: 'answer',
    with: 404,
    by: (answer) => withText(answer, ''),
  }),
  operator('assign.update', 'body', '409-empty', 'answers 409 with an empty body', {
    to: 'answer',
    with: 409,
    by: (answer) => withText(answer, ''),
  }),
  operator('assessment.read', 'body', '404-page', 'answers 404 with an HTML page', {
    to: 'answer',
    with: 404,
    by: (answer) => withHeader(withText(answer, page), 'content-type', 'text/html'),
  }),
]

export const answerOperators: readonly Operator[] = [
  ...success('task.read', [201, 204, 500]),
  ...success('assign.update', [201, 202, 204]),
  ...success('assign.unassign', [204, 404]),
  ...success('assessment.read', [203, 503]),
  ...success('export.csv', [201, 206, 500]),
  ...success('export.pdf', [206, 400]),
  ...operations.flatMap((operation) => failure(operation, 401, [403])),
  ...failure('task.read', 401, [200, 404]),
  ...failure('export.csv', 401, [200]),
  ...failure('task.read', 404, [200, 400, 410]),
  ...failure('assign.update', 404, [200, 400]),
  ...failure('assign.update', 409, [200, 412, 500]),
  ...failure('assign.unassign', 409, [200]),
  ...failure('assign.unassign', 404, [409]),
  ...failure('assessment.read', 404, [200, 400]),
  ...failure('export.csv', 400, [200, 422]),
  ...failure('export.pdf', 400, [200, 413]),
  ...operations.map((operation) => header(operation, 'content-type', 'text', 'text/plain')),
  header('task.read', 'content-type', 'problem', 'application/problem+json'),
  header('task.read', 'content-type', 'charset', 'application/json; charset=utf-16'),
  header('task.read', 'cache-control', 'year', 'public, max-age=31536000'),
  header('task.read', 'content-encoding', 'gzip', 'gzip'),
  header('assign.update', 'location', 'elsewhere', '/v5/elsewhere'),
  header('export.csv', 'content-type', 'json', 'application/json'),
  header('export.csv', 'content-type', 'pdf', 'application/pdf'),
  header('export.csv', 'content-disposition', 'none', undefined),
  header('export.pdf', 'content-type', 'csv', 'text/csv'),
  header('export.pdf', 'content-disposition', 'csv', 'attachment; filename="events.csv"'),
  ...(['task.read', 'assign.update', 'export.csv', 'export.pdf'] as const).flatMap(bodies),
  ...jsonBodies('task.read'),
  ...jsonBodies('assign.update').slice(2, 4),
  ...jsonBodies('assessment.read').slice(2, 4),
  ...oddBodies,
  ...errorBodies,
]
