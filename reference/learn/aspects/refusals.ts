import { open } from '../../rules/open.ts'
import type { Aspect } from '../aspect.ts'
import { isMembers, isRefusal, type Members, type Seen } from '../seen.ts'
import { partOf, refusalClauses, refusalsIn } from './refusal-bodies.ts'

const invalidBody = 'assign.status-of-invalid-body'

/** Statuses of refused updates, and of ids that are none. */
export const refusalStatuses: Aspect = {
  of: [
    ...refusalClauses,
    invalidBody,
    'version.missing-status',
    'assign.comment-limit',
    'versioning.path',
  ],
  rules(seen) {
    const refusals = refusalsIn(seen)
    const bodies = seen.members(invalidBody)
    const comment = Object.values(seen.members('assign.comment-limit')).find(isRefusal)
    const missing = seen.value('version.missing-status')
    const { base, without } = seen.members('versioning.path')
    if (without !== undefined && !isRefusal(without) && base === 'ends in /v5')
      seen.unclear(
        'versioning.path',
        `saw ${without} to a path without /v5; this service has none there`,
      )
    const statusOf = (kind: string) => {
      const status = refusals.assign.get(kind)?.status
      return isRefusal(status) ? status : undefined
    }
    const first = (...statuses: unknown[]) => statuses.find(isRefusal)
    const otherwise = first(statusOf('neither'), statusOf('both'), ...Object.values(bodies)) ?? 422
    return {
      open: {
        malformedIdStatus: (call) =>
          first(
            refusals[partOf(call.op)].get('malformed id')?.status,
            refusals.task.get('malformed id')?.status,
          ) ?? open.malformedIdStatus(call),
        invalidBodyStatus: ({ op, flaw, field, value }) => {
          if (flaw === 'comment') return comment ?? otherwise
          if (['both', 'neither', 'member', 'person'].includes(flaw))
            return statusOf(flaw) ?? otherwise
          return first(bodies[nameOf(op, flaw, field ?? '', value)]) ?? otherwise
        },
        notJsonStatus: (call) => first(bodies['not JSON']) ?? open.notJsonStatus(call),
        contentTypeStatus: (call) => first(bodies['text/plain']) ?? open.contentTypeStatus(call),
        missingIfMatchStatus: (call) =>
          first(missing, statusOf('no if-match')) ?? open.missingIfMatchStatus(call),
        unknownPathStatus: (call) => first(without) ?? open.unknownPathStatus(call),
      },
    }
  },
}

/** How the clause calls what is wrong with a body. */
function nameOf(op: string, flaw: string, field: string, value: unknown): string {
  if (flaw === 'value')
    return value === 'user' || value === '' ? `of the type ${value}` : 'of the type PERSON'
  const values: Record<string, string> = {
    assigned_to_id: 'whose assigned_to_id is 7',
    assigned_by_id: 'whose assigned_by_id is {}',
    assignment_comment: 'whose assignment_comment is 5',
  }
  if (flaw === 'type') return values[field] ?? 'of the type PERSON'
  return op === 'assign.unassign' ? `unassign-${field}` : field
}

/** Statuses of refused exports; what is not refused is passed over. */
export const queryRefusals: Aspect = {
  of: [
    'export.error-body',
    'export.unknown-parameter',
    'export.locale-unsupported',
    'export.metadata-bracket-encoding',
    'export.filter-case',
    'export.range.date-only',
    'export.range.offset-form',
    'export.range.null',
  ],
  rules(seen) {
    const bodies = seen.members('export.error-body')
    const { status: parameter } = seen.members('export.unknown-parameter')
    const locale = localeRefusal(seen)
    const unknownValue = Object.values(seen.members('export.filter-case')).find(isRefusal)
    const { encoded, dot } = seen.members('export.metadata-bracket-encoding')
    const bounds = seen.members('export.range.null')
    const forms = [seen.value('export.range.date-only'), seen.value('export.range.offset-form')]
    return {
      open: {
        queryRefusal: (call) => {
          const { flaw, parameter: name, value } = call
          if (flaw === 'parameter') {
            if (name === 'ticket') return undefined
            if (/^metadata\./.test(name) && dot !== undefined) return refusalOr(dot, undefined)
            if (/^metadata%5b/i.test(name)) return refusalOr(encoded, undefined)
            return refusalOr(parameter, undefined)
          }
          if (flaw === 'unknown value') return unknownValue
          if (flaw === 'locale') return locale === undefined ? 400 : refusalOr(locale, undefined)
          const at = {
            'file type': 'file-type',
            'metadata key': 'metadata-key',
            'range form': 'range-form',
            'time zone': 'timezone',
          }[flaw]
          const seenTo = bodies[at]
          if (seenTo === undefined) return open.queryRefusal(call)
          const own = isMembers(seenTo) ? refusalOr(seenTo.status, undefined) : undefined
          if (flaw !== 'range form') return own
          // A bound in a form that was observed by itself is refused as it was there.
          if (value === '' || value === 'null') return refusalOr(bounds[value || 'empty'], own)
          const [day, offset] = forms
          if (/^\d{4}-\d\d-\d\d$/.test(value)) return refusalOr(day, own)
          return refusalOr(/[+-]\d\d:?\d\d$/.test(value) ? offset : undefined, own)
        },
      },
    }
  },
}

const refusalOr = (status: unknown, otherwise: number | undefined) =>
  isRefusal(status) ? status : otherwise

function localeRefusal(seen: Seen): unknown {
  const id = 'export.locale-unsupported'
  const found: Members = seen.members(id)
  const [first, ...others] = [...new Set(Object.values(found))]
  if (others.length > 0)
    seen.unclear(id, `saw ${[first, ...others].join(' and ')}; the first is used for all languages`)
  return first
}
