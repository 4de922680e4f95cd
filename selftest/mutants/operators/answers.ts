// Status, headers and the body as a whole of answers.
import {
  type Answer,
  answer,
  bytesOf,
  changeJson,
  type Json,
  type Members,
  type Operation,
  type Operator,
  operations,
  textOf,
  withHeader,
  withText,
} from './operator.ts'

const success = (operation: Operation, statuses: readonly number[]) =>
  statuses.map((status) =>
    answer(`${operation}/status/success-${status}`, (a) => ({
      ...a,
      status,
      body: status === 204 ? bytesOf('') : a.body,
    })),
  )
const failure = (operation: Operation, was: number, statuses: readonly number[]) =>
  statuses.map((status) =>
    answer(`${operation}/status/${was}-${status}`, (a) => ({ ...a, status }), was),
  )
/** A missing content type is impossible: the server writes text/plain then. */
const header = (operation: Operation, name: string, part: string, value?: string) =>
  answer(`${operation}/header/${name}-${part}`, (a) => withHeader(a, name, value))

const html = '<!doctype html><html><body><h1>Service Unavailable</h1></body></html>'
const page = (a: Answer) => withHeader(withText(a, html), 'content-type', 'text/html')
const json = (by: (members: Members) => Json | undefined) => (a: Answer) => changeJson(a, by)

const bodies: Readonly<Record<string, (a: Answer) => Answer | undefined>> = {
  none: (a) => withText(a, ''),
  cut: (a) => ({ ...a, body: a.body.slice(0, Math.floor((a.body.length * 2) / 3)) }),
  page,
  null: (a) => withText(a, 'null'),
  object: (a) => withText(a, '{}'),
  list: json((members) => [members]),
  envelope: json((members) => ({ data: members })),
  text: (a) => withText(a, JSON.stringify(textOf(a))),
  twice: (a) => withText(a, textOf(a) + textOf(a)),
  reorder: json((members) => Object.fromEntries(Object.entries(members).reverse())),
  mark: (a) => withText(a, `\ufeff${textOf(a)}`),
  utf16: (a) => ({ ...a, body: new Uint8Array(Buffer.from(`\ufeff${textOf(a)}`, 'utf16le')) }),
}
const body = (operation: Operation, ...parts: string[]): Operator[] =>
  parts.map((part) => answer(`${operation}/body/${part}`, (a) => bodies[part]?.(a)))

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
  header('export.csv', 'content-disposition', 'none'),
  header('export.pdf', 'content-type', 'csv', 'text/csv'),
  header('export.pdf', 'content-disposition', 'csv', 'attachment; filename="events.csv"'),
  ...(['task.read', 'assign.update', 'export.csv', 'export.pdf'] as const).flatMap((operation) =>
    body(operation, 'none', 'cut', 'page'),
  ),
  ...body('task.read', 'null', 'object', 'list', 'envelope', 'text', 'twice'),
  ...body('assign.update', 'list', 'envelope'),
  ...body('assessment.read', 'list', 'envelope'),
  ...body('task.read', 'reorder'),
  answer(
    'task.read/body/more',
    json((members) => ({ ...members, tenant_secret: 'value' })),
  ),
  ...body('task.read', 'mark', 'utf16'),
  answer(
    'assign.update/body/more',
    json((members) => ({ ...members, previous_assignment: null })),
  ),
  answer(
    'assign.update/body/assignment-only',
    json(({ assignment }) => assignment),
  ),
  ...body('assessment.read', 'reorder'),
  // The body of an error is not shown; a leak of the key would still be a breach.
  answer('task.read/body/404-empty', (a) => withText(a, ''), 404),
  answer('assign.update/body/409-empty', (a) => withText(a, ''), 409),
  answer('assessment.read/body/404-page', page, 404),
]
