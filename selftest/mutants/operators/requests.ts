// Requests: headers, members of bodies, and parameters of exports.
import {
  isMembers,
  type Json,
  type Members,
  membersIn,
  type Operator,
  request,
} from './operator.ts'

const headless = (operation: string, name: string): Operator =>
  request(`${operation}/ask-header/${name}-none`, (asked) => {
    const { [name]: value, ...headers } = asked.headers
    return value === undefined ? undefined : { ...asked, headers }
  })

/** Changes the `update` or `unassign` object of a body. */
const member = (name: 'update' | 'unassign', part: string, by: (m: Members) => Members): Operator =>
  request(`assign.${name}/ask-member/${part}`, (asked) => {
    const whole = membersIn(asked.body)
    const inner = whole?.[name]
    return isMembers(inner)
      ? { ...asked, body: JSON.stringify({ ...whole, [name]: by(inner) }) }
      : undefined
  })

const comment = (name: 'update' | 'unassign', part: string, by: (text: string) => Json): Operator =>
  member(name, `comment-${part}`, (m) =>
    typeof m.assignment_comment === 'string'
      ? { ...m, assignment_comment: by(m.assignment_comment) }
      : m,
  )

const query = (id: string, by: (pairs: [string, string][]) => [string, string][]): Operator =>
  request(id, (asked) => {
    const url = new URL(asked.url)
    url.search = new URLSearchParams(by([...url.searchParams])).toString()
    return { ...asked, url: url.href }
  })

const isNamed =
  (name: string) =>
  ([key]: [string, string]) =>
    key === name || key === `${name}[]`
const firstOf = (is: (pair: [string, string]) => boolean) => (pairs: [string, string][]) =>
  pairs.filter((pair, at) => !is(pair) || pairs.findIndex(is) === at)

const dropped = (file: string, name: string): Operator =>
  query(`export.${file}/ask-drop/${name}`, (pairs) => pairs.filter((pair) => !isNamed(name)(pair)))
const narrowed = (name: string): Operator =>
  query(`export.csv/ask-narrow/${name}`, (pairs) =>
    pairs.filter(
      (pair, at) => !isNamed(name)(pair) || pairs.findIndex(([key]) => key === pair[0]) === at,
    ),
  )
const valued = (file: string, name: string, part: string, by: (value: string) => string) =>
  query(`export.${file}/ask-value/${name}-${part}`, (pairs) =>
    pairs.map(([key, value]) => [key, isNamed(name)([key, value]) ? by(value) : value]),
  )
const moved = (file: string, name: string, part: string, ms: number): Operator =>
  valued(file, name, part, (value) =>
    Number.isNaN(Date.parse(value)) ? value : new Date(Date.parse(value) + ms).toISOString(),
  )
const set = (part: string, by: (search: URLSearchParams) => string[][]): Operator =>
  query(`export.csv/ask-value/${part}`, (pairs) => {
    const search = new URLSearchParams(pairs)
    for (const [name = '', value = ''] of by(search)) search.set(name, value)
    return [...search]
  })

export const requestOperators: readonly Operator[] = [
  headless('task.read', 'apikey'),
  headless('export.csv', 'apikey'),
  headless('assign.update', 'if-match'),
  headless('assign.unassign', 'if-match'),
  headless('assign.update', 'content-type'),
  member('update', 'swap-by-to', (m) => ({
    ...m,
    assigned_by_id: m.assigned_to_id ?? null,
    assigned_to_id: m.assigned_by_id ?? null,
  })),
  member('update', 'by-is-to', (m) => ({ ...m, assigned_by_id: m.assigned_to_id ?? null })),
  member('update', 'always-user', (m) => ({ ...m, assigned_to_type: 'USER' })),
  member('update', 'always-team', (m) => ({ ...m, assigned_to_type: 'TEAM' })),
  comment('update', 'null', () => null),
  comment('update', 'cut', (text) => text.slice(0, 20)),
  comment('update', 'ascii', (text) => text.replace(/[^ -~]/g, '?')),
  comment('update', 'html', (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)),
  comment('update', 'lines', (text) => text.replace(/\s+/g, ' ')),
  comment('unassign', 'null', () => null),
  comment('unassign', 'cut', (text) => text.slice(0, 20)),
]

const lists = ['auditee_id', 'event_type', 'sub_type', 'system_source']
const keys = ['entity_id', 'assessment_id', 'task_id', 'workflow_instance_id']
  .concat('screening_application_id', 'screening_config_id', 'match_id', 'inquiry_id')
  .concat('tag', 'cache_id', 'workflow_step')
  .map((key) => `metadata[${key}]`)
const range = ['range_start', 'range_end']

export const parameterOperators: readonly Operator[] = [
  ...[...lists, ...keys, ...range, 'file_type', 'locale', 'timezone'].map((name) =>
    dropped('csv', name),
  ),
  ...lists.map(narrowed),
  query(
    'export.csv/ask-narrow/metadata',
    firstOf(([key]) => key.startsWith('metadata[')),
  ),
  ...lists.map((name) => valued('csv', name, 'upper', (value) => value.toUpperCase())),
  moved('csv', 'range_start', 'later', 1),
  moved('csv', 'range_start', 'earlier', -1),
  moved('csv', 'range_end', 'earlier', -1),
  moved('csv', 'range_end', 'later', 1),
  moved('csv', 'range_start', 'hour', 3_600_000),
  ...range.map((name) => valued('csv', name, 'second', (value) => value.replace(/\.\d+/, '.000'))),
  ...range.map((name) =>
    valued('csv', name, 'day', (value) => value.replace(/T.*$/, 'T00:00:00.000Z')),
  ),
  valued('csv', 'timezone', 'utc', () => 'UTC'),
  valued('csv', 'locale', 'en', () => 'en'),
  set('range-order', (search) => {
    const [start, end] = range.map((name) => search.get(name)) as [string | null, string | null]
    const isTurned = start && end && Date.parse(start) > Date.parse(end)
    return isTurned ? Object.entries({ range_start: end, range_end: start }) : []
  }),
  query('export.csv/ask-value/bad-range', (pairs) =>
    pairs.filter(([key, value]) => !range.includes(key) || !Number.isNaN(Date.parse(value))),
  ),
  // The events of the last minute are missing.
  set('lag', (search) => {
    const last = new Date(Date.now() - 60_000).toISOString()
    return (search.get('range_end') ?? last) >= last ? [['range_end', last]] : []
  }),
  set('default-pdf', (search) => (search.has('file_type') ? [] : [['file_type', 'pdf']])),
  ...['event_type', 'auditee_id', 'metadata[task_id]', ...range, 'locale', 'file_type'].map(
    (name) => dropped('pdf', name),
  ),
  moved('pdf', 'range_end', 'earlier', -1),
  moved('pdf', 'range_start', 'later', 1),
]
