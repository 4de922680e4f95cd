// In which forms a clause asked, read off its requests: by what the contract lets vary in an operation.

import type { Forms } from '../engine/clause/forms.ts'
import { isObject, type JsonObject } from '../engine/http/answers.ts'
import type { Exchange } from '../engine/http/exchange.ts'

type Dimension = {
  /** the forms that the contract names */
  forms: readonly string[]
  /** the form of a request of this kind; undefined: it has none that can be told */
  of(request: Request): string | undefined
  /** why a clause need not ask in every one of them */
  elsewhere: string
}

type Request = { query: URLSearchParams; body: JsonObject; headers: readonly string[] }

/** What updates and unassigns differ in. */
const ofUpdates: Record<string, Dimension> = {
  assignee: {
    forms: ['a user', 'a team', 'nobody'],
    of: ({ body: { update, unassign } }) => {
      if (unassign !== undefined) return 'nobody'
      const type = isObject(update) ? update.assigned_to_type : undefined
      return { USER: 'a user', TEAM: 'a team' }[String(type)]
    },
    elsewhere: 'assign.* asks each transition, version.model draws them at random',
  },
  comment: {
    forms: ['left out', 'null', 'a text'],
    of: ({ body }) => {
      const given = [body.update, body.unassign].find(isObject)
      if (!given) return undefined
      const { assignment_comment: comment } = given
      if (comment === undefined) return 'left out'
      return comment === null ? 'null' : 'a text'
    },
    elsewhere: 'assign.comment.* asks each, and every accepted update is read back',
  },
  'If-Match': {
    forms: ['given', 'left out'],
    of: ({ headers }) => (headers.includes('if-match') ? 'given' : 'left out'),
    elsewhere: 'version.required.* leaves it out',
  },
}

const givenOr = (name: string, ...parameters: string[]): Dimension => ({
  forms: ['left out', 'given'],
  of: ({ query }) => (parameters.some((each) => query.has(each)) ? 'given' : 'left out'),
  elsewhere: `export.${name}.* asks with it, and export.deterministic.* before and after it`,
})

const isMetadata = (key: string) => key.startsWith('metadata')
const others = ['range_start', 'range_end', 'file_type', 'locale', 'timezone']

/** What exports differ in. */
const ofExports: Record<string, Dimension> = {
  'file type': {
    forms: ['left out', 'csv', 'pdf'],
    of: ({ query }) => query.get('file_type') ?? 'left out',
    elsewhere: 'export.default-csv leaves it out, and the clauses on PDFs ask for these',
  },
  filters: {
    forms: ['none', 'a parameter', 'metadata', 'a parameter and metadata'],
    of: ({ query }) => {
      const keys = [...query.keys()]
      const named = keys.some((key) => !isMetadata(key) && !others.includes(key))
      if (keys.some(isMetadata)) return named ? 'a parameter and metadata' : 'metadata'
      return named ? 'a parameter' : 'none'
    },
    elsewhere: 'export.filter.* and export.metadata.* ask with each, and in every pair',
  },
  range: {
    forms: ['none', 'from', 'to', 'from and to'],
    of: ({ query }) => {
      const [start, end] = [query.has('range_start'), query.has('range_end')]
      if (start && end) return 'from and to'
      return start ? 'from' : end ? 'to' : 'none'
    },
    elsewhere: 'export.range.* asks with either bound; files are compared over closed ranges',
  },
  zone: givenOr('timezone', 'timezone'),
  language: givenOr('locale', 'locale'),
}

const isUpdate = ({ method }: Exchange) => method === 'PUT'
const isExport = ({ path }: Exchange) => path.includes('/audit-sentinel/events/export')

const dimensionsOf = (exchange: Exchange): Record<string, Dimension> =>
  isUpdate(exchange) ? ofUpdates : isExport(exchange) ? ofExports : {}

/** What no clause can vary, with the reason. */
export const unaskedAnywhere: Record<string, string> = {
  'state of the task': 'no operation changes status or step, and only INCOMPLETE is shown of them',
  'place of the task in a list': 'no operation lists tasks',
  'another valid key': 'a run is given one',
}

const isUnauthorized = ({ status }: Exchange) => status === 401

/**
 * The forms of these requests, by dimension, in the contract's order. Where some were answered 401, these are
 * what was asked for, and the others prepared it.
 */
export function formsIn(exchanges: readonly Exchange[]): Forms {
  const seen = new Map<string, { dimension: Dimension; forms: Set<string> }>()
  const asked = exchanges.some(isUnauthorized) ? exchanges.filter(isUnauthorized) : exchanges
  for (const exchange of asked) {
    const dimensions = Object.entries(dimensionsOf(exchange))
    if (dimensions.length === 0) continue
    const request = requestIn(exchange)
    for (const [name, dimension] of dimensions) {
      const form = dimension.of(request)
      const known = seen.get(name) ?? { dimension, forms: new Set() }
      if (form !== undefined && dimension.forms.includes(form)) known.forms.add(form)
      seen.set(name, known)
    }
  }
  return Object.fromEntries(
    [...seen].flatMap(([name, { dimension, forms }]) =>
      forms.size === 0 ? [] : [[name, dimension.forms.filter((form) => forms.has(form))]],
    ),
  )
}

/** What is missing in forms that were asked, with the reason why it is: by dimension and form. */
export function unaskedIn(forms: Forms): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...ofUpdates, ...ofExports }).flatMap(([name, dimension]) => {
      const asked = forms[name]
      const missing = dimension.forms.filter((form) => !asked?.includes(form))
      return asked && missing.length > 0
        ? [[`${name}: ${missing.join(', ')}`, dimension.elsewhere]]
        : []
    }),
  )
}

function requestIn({ path, requestBody, requestHeaders }: Exchange): Request {
  const [, query = ''] = path.split('?')
  let body: unknown
  try {
    body = JSON.parse(requestBody ?? '')
  } catch {
    body = undefined
  }
  return {
    query: new URLSearchParams(query),
    body: isObject(body) ? body : {},
    headers: Object.keys(requestHeaders).map((name) => name.toLowerCase()),
  }
}
