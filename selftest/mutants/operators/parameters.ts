import { type Asked, type Operation, type Operator, operator } from './operator.ts'

const request = (
  operation: Operation,
  family: string,
  part: string,
  what: string,
  by: (asked: Asked) => Asked | undefined,
): Operator => operator(operation, family, part, what, { to: 'request', by })

const parameters = (asked: Asked, by: (search: URLSearchParams) => URLSearchParams): Asked => {
  const url = new URL(asked.url)
  url.search = by(new URLSearchParams(url.search)).toString()
  return { ...asked, url: url.href }
}

/** Keeps, changes or drops each pair of name and value of the address. */
const pairs = (
  asked: Asked,
  by: (name: string, value: string, nth: number) => readonly [string, string][],
): Asked =>
  parameters(asked, (search) => {
    const seen = new Map<string, number>()
    return new URLSearchParams(
      [...search].flatMap(([name, value]) => {
        const nth = seen.get(name) ?? 0
        seen.set(name, nth + 1)
        return by(name, value, nth)
      }),
    )
  })

const named = (name: string, of: string) => name === of || name === `${of}[]`

const dropped = (operation: Operation, name: string): Operator =>
  request(operation, 'ask-drop', name, `never sees the parameter ${name}`, (asked) =>
    pairs(asked, (key, value) => (named(key, name) ? [] : [[key, value]])),
  )

const valued = (
  operation: Operation,
  name: string,
  part: string,
  what: string,
  by: (value: string) => string,
): Operator =>
  request(operation, 'ask-value', `${name}-${part}`, what, (asked) =>
    pairs(asked, (key, value) => [[key, named(key, name) ? by(value) : value]]),
  )

const first = (operation: Operation, name: string): Operator =>
  request(operation, 'ask-narrow', name, `takes the first value only of ${name}`, (asked) =>
    pairs(asked, (key, value, nth) => (named(key, name) && nth > 0 ? [] : [[key, value]])),
  )

const moved = (operation: Operation, name: string, part: string, ms: number): Operator =>
  valued(operation, name, part, `reads ${name} ${ms} ms off`, (value) =>
    Number.isNaN(Date.parse(value)) ? value : new Date(Date.parse(value) + ms).toISOString(),
  )

const keys = [
  'entity_id',
  'assessment_id',
  'task_id',
  'workflow_instance_id',
  'screening_application_id',
  'screening_config_id',
  'match_id',
  'inquiry_id',
  'tag',
  'cache_id',
  'workflow_step',
].map((key) => `metadata[${key}]`)
const lists = ['auditee_id', 'event_type', 'sub_type', 'system_source']
const range = ['range_start', 'range_end']

const csvOnly: readonly Operator[] = [
  ...[...lists, ...keys, ...range, 'file_type', 'locale', 'timezone'].map((name) =>
    dropped('export.csv', name),
  ),
  ...lists.map((name) => first('export.csv', name)),
  request('export.csv', 'ask-narrow', 'metadata', 'takes the first metadata key only', (asked) => {
    let seen = false
    return pairs(asked, (key, value) => {
      if (!key.startsWith('metadata[')) return [[key, value]]
      if (seen) return []
      seen = true
      return [[key, value]]
    })
  }),
  ...lists.map((name) =>
    valued('export.csv', name, 'upper', `reads ${name} in upper case`, (v) => v.toUpperCase()),
  ),
  moved('export.csv', 'range_start', 'later', 1),
  moved('export.csv', 'range_start', 'earlier', -1),
  moved('export.csv', 'range_end', 'earlier', -1),
  moved('export.csv', 'range_end', 'later', 1),
  moved('export.csv', 'range_start', 'hour', 3_600_000),
  ...range.map((name) =>
    valued('export.csv', name, 'second', `cuts ${name} to whole seconds`, (v) =>
      v.replace(/\.\d+/, '.000'),
    ),
  ),
  ...range.map((name) =>
    valued('export.csv', name, 'day', `cuts ${name} to the day`, (v) =>
      v.replace(/T.*$/, 'T00:00:00.000Z'),
    ),
  ),
  valued('export.csv', 'timezone', 'utc', 'takes every timezone for UTC', () => 'UTC'),
  valued('export.csv', 'locale', 'en', 'takes every locale for en', () => 'en'),
  request('export.csv', 'ask-value', 'range-order', 'puts a turned range the right way', (asked) =>
    parameters(asked, (search) => {
      const start = search.get('range_start')
      const end = search.get('range_end')
      if (!start || !end || Date.parse(start) <= Date.parse(end)) return search
      search.set('range_start', end)
      search.set('range_end', start)
      return search
    }),
  ),
  request('export.csv', 'ask-value', 'bad-range', 'drops a range value it cannot read', (asked) =>
    pairs(asked, (key, value) =>
      range.includes(key) && Number.isNaN(Date.parse(value)) ? [] : [[key, value]],
    ),
  ),
  request('export.csv', 'ask-value', 'lag', 'leaves out the events of the last minute', (asked) =>
    parameters(asked, (search) => {
      const last = new Date(Date.now() - 60_000).toISOString()
      if ((search.get('range_end') ?? last) >= last) search.set('range_end', last)
      return search
    }),
  ),
  request(
    'export.csv',
    'ask-value',
    'default-pdf',
    'makes a PDF when no file type is said',
    (asked) =>
      parameters(asked, (search) => {
        if (!search.has('file_type')) search.set('file_type', 'pdf')
        return search
      }),
  ),
]

export const parameterOperators: readonly Operator[] = [
  ...csvOnly,
  ...['event_type', 'auditee_id', 'metadata[task_id]', ...range].map((name) =>
    dropped('export.pdf', name),
  ),
  dropped('export.pdf', 'locale'),
  dropped('export.pdf', 'file_type'),
  moved('export.pdf', 'range_end', 'earlier', -1),
  moved('export.pdf', 'range_start', 'later', 1),
]
