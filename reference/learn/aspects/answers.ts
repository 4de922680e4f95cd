import type { Call, Operation } from '../../calls/call.ts'
import { open } from '../../rules/open.ts'
import { canonical } from '../../world/versions.ts'
import type { Aspect } from '../aspect.ts'
import { type Seen, shown } from '../seen.ts'

const isSuccess = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 200 && (value as number) < 300

/** Statuses of success. */
const successes: Aspect = {
  of: ['task.read.success-status', 'assessment.read.success-status', 'assign.success-status'],
  rules(seen) {
    const { update, unassign } = seen.members('assign.success-status')
    const statuses: Turns = {
      'task.read': turnsOf(seen, 'task.read.success-status'),
      'assessment.read': turnsOf(seen, 'assessment.read.success-status'),
      'assign.update': seen.inTurn('assign.success-status', update),
      'assign.unassign': seen.inTurn('assign.success-status', unassign),
    }
    return {
      open: {
        successStatus: (call) => {
          const status = statuses[call.op]?.()
          return isSuccess(status) ? status : open.successStatus(call)
        },
      },
    }
  },
}

/** What a service answers differently from one time to the next, its mock answers in turn. */
type Turns = Partial<Record<Operation, () => unknown>>

const turnsOf = (seen: Seen, id: string) => seen.inTurn(id, seen.value(id))

/** Content types of JSON answers. */
const contentTypes: Aspect = {
  of: ['task.read.content-type', 'assessment.read.content-type', 'assign.content-type'],
  rules(seen) {
    const types: Turns = {
      'task.read': turnsOf(seen, 'task.read.content-type'),
      'assessment.read': turnsOf(seen, 'assessment.read.content-type'),
      'assign.update': turnsOf(seen, 'assign.content-type'),
      'assign.unassign': turnsOf(seen, 'assign.content-type'),
    }
    return {
      open: {
        contentType: (call) => {
          const type = types[call.op]?.()
          if (type === 'none') return undefined
          return typeof type === 'string' ? type : open.contentType(call)
        },
      },
    }
  },
}

const ofOperation: Record<string, Operation[]> = {
  'task.read.headers': ['task.read'],
  'assessment.read.headers': ['assessment.read'],
  'assign.headers': ['assign.update', 'assign.unassign'],
}

/** Values for headers of which only the names were seen. */
const values: Record<string, string> = {
  age: '0',
  'cache-control': 'no-store',
  etag: '"1"',
  expires: '0',
  'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
  pragma: 'no-cache',
  vary: 'apikey',
  'set-cookie': 'mock=1; Path=/',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

// What they are of and where they lead is made elsewhere.
const made = /^(content-type|content-disposition|location|link|content-location|retry-after)$/

/** Headers of answers. */
const headers: Aspect = {
  of: [...Object.keys(ofOperation), 'task.read.cache-headers', 'export.headers', 'limits.rate'],
  rules(seen) {
    const known = new Map<string, string>()
    const add = (where: string, names: unknown) => {
      for (const name of Array.isArray(names) ? names.map(String) : [])
        if (!made.test(name) && isToken(name)) known.set(`${where} ${name}`, values[name] ?? '1')
    }
    for (const [id, operations] of Object.entries(ofOperation))
      for (const operation of operations) add(operation, seen.words(id))
    const { csv, pdf } = seen.members('export.headers')
    add('export csv', csv)
    add('export pdf', pdf)
    const caching = seen.members('task.read.cache-headers')
    add('task.read', caching.others)
    const control = caching['cache-control']
    if (typeof control === 'string') known.set('task.read cache-control', control)
    const everywhere = seen.members('limits.rate').headers
    add('', everywhere)
    if (known.size > 0)
      seen.assume('headers of which only the names were seen hold values that are made up')
    const of = (where: string) =>
      Object.fromEntries(
        [...known].flatMap(([at, value]) =>
          at.startsWith(`${where} `) ? [[at.slice(where.length + 1), value]] : [],
        ),
      )
    return {
      open: {
        headers: (call) => ({ ...of(''), ...(call.status < 300 ? of(placeOf(call)) : {}) }),
      },
    }
  },
}

const isToken = (name: string) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)

const placeOf = (call: Call) =>
  call.op === 'export' ? `export ${call.query.get('file_type') === 'pdf' ? 'pdf' : 'csv'}` : call.op

type Form = { basic: boolean; between: string; zone: string; digits: number }

/** The form of timestamps. */
const timestamps: Aspect = {
  of: ['task.read.timestamp-forms'],
  rules(seen) {
    const id = 'task.read.timestamp-forms'
    const [first, ...others] = Object.entries(seen.members(id))
    if (!first) return {}
    if (others.length > 0)
      seen.unclear(
        id,
        `saw ${others.length + 1} forms, and not of which fields; ${first[0]} is used`,
      )
    const form = formFrom(first[0], String(first[1]))
    if (!form) return unknownForm(seen, id, first[0])
    return { open: { timestampForm: ({ value }) => inForm(value, form) } }
  },
}

const unknownForm = (seen: Seen, id: string, form: string) => {
  seen.unclear(id, `saw ${shown(form)}, a form that the reference service cannot write`)
  return {}
}

function formFrom(form: string, fraction: string): Form | undefined {
  const digits = Math.min(9, Number(/\d+/.exec(fraction)?.[0] ?? 0))
  const [, between = '', zone = ''] =
    /^YYYY-00-00([Tt ])00:00:00(Z|z|\+00|\+00:00|\+YYYY)$/.exec(form) ?? []
  // Digits of any number are told as four or as two.
  if (zone) return { basic: false, between, zone: zone.replace('YYYY', '0000'), digits }
  return form === '00T00Z' ? { basic: true, between: 'T', zone: 'Z', digits } : undefined
}

function inForm(given: string, { basic, between, zone, digits }: Form): string {
  const value = canonical(given)
  const fraction = digits > 0 ? `.${value.slice(20, 20 + digits)}` : ''
  const day = value.slice(0, 10)
  const time = value.slice(11, 19)
  const plain = `${day}${between}${time}`
  return `${basic ? plain.replaceAll(/[-:]/g, '') : plain}${fraction}${zone}`
}

export const aspectsOfAnswers = [successes, contentTypes, headers, timestamps]
