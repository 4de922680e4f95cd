import { metadataKeys } from '../calls/events.ts'
import { type Filter, parameters, type QueryFlaw } from '../calls/export-call.ts'
import type { Breach } from './breach.ts'

const clauseOf = ({ of, name }: Pick<Filter, 'of' | 'name'>, what: 'unknown-value' | 'narrows') =>
  `export.${of === 'event' ? 'filter' : 'metadata'}.${name}.${what}`

const filterClauses = (of: Filter['of'], name: string) => [
  clauseOf({ of, name }, 'unknown-value'),
  clauseOf({ of, name }, 'narrows'),
]

const noRange = { start: undefined, end: undefined }

/** What is asked for and does not count. */
const chosen: Breach = {
  of: [
    ...parameters.flatMap((name) => filterClauses('event', name)),
    ...metadataKeys.flatMap((name) => filterClauses('metadata', name)),
    'export.range.outside',
    'export.range.outside.rows',
    'export.csv.readable',
  ],
  rules(broken, { stated }) {
    // One file, whatever is asked for: no row in it is an event, and no update is one.
    const isOneFile = broken('export.csv.readable')
    const isUnbound =
      isOneFile || broken('export.range.outside') || broken('export.range.outside.rows')
    return {
      stated: {
        filters: (asked) =>
          stated
            .filters(asked)
            .filter((filter) => !isOneFile && !broken(clauseOf(filter, 'unknown-value'))),
        // A filter that gives more events than there are without it lets in those of other times.
        range: (asked) =>
          isUnbound || asked.filters.some((filter) => broken(clauseOf(filter, 'narrows')))
            ? noRange
            : stated.range(asked),
        recorded: (change) => (isOneFile ? [] : stated.recorded(change)),
      },
    }
  },
}

const flaws: Partial<Record<QueryFlaw, string>> = {
  'file type': 'export.invalid.file-type',
  'metadata key': 'export.invalid.metadata-key',
  'range form': 'export.invalid.range-form',
  'time zone': 'export.invalid.timezone',
}

/** Requests that are answered though they are to be refused. */
const refusals: Breach = {
  of: [
    ...Object.values(flaws),
    'export.timezone.accepted',
    'export.range.reversed.csv',
    'export.range.reversed.pdf',
    'export.pdf-limit.over',
  ],
  rules: (broken, { open, stated }) => ({
    stated: {
      rangeRefusal: (asked) =>
        broken(`export.range.reversed.${asked.fileType}`) ? undefined : stated.rangeRefusal(asked),
      sizeRefusal: (asked) =>
        broken('export.pdf-limit.over') ? undefined : stated.sizeRefusal(asked),
    },
    open: {
      queryRefusal: (call) => {
        const usual = open.queryRefusal(call)
        // Another refusal than the stated one was seen, and is what broke the clause.
        return broken(flaws[call.flaw] ?? '') && usual === 400 ? undefined : usual
      },
      supportsZone: (call) =>
        !(broken('export.timezone.accepted') && call.zone !== 'UTC') && open.supportsZone(call),
    },
  }),
}

/** What comes in place of a PDF. */
const files: Breach = {
  of: ['export.pdf.readable'],
  rules: (broken, { stated }) => ({
    stated: {
      file: (asked) =>
        broken('export.pdf.readable') && asked.fileType === 'pdf'
          ? { type: asked.file.type, content: 'time,event_type\r\n' }
          : stated.file(asked),
    },
  }),
}

/** What of an update comes into the audit trail and the mail. */
const trail: Breach = {
  of: [
    'audit.assignment-recorded',
    'audit.assign-comment',
    'audit.unassign-comment',
    'notify.user',
    'notify.team-members',
  ],
  rules: (broken, { stated }) => ({
    stated: {
      recorded: (change) => {
        if (broken('audit.assignment-recorded')) return []
        const kind = change.kind === 'unassigned' ? 'unassign' : 'assign'
        const isMissed = broken(`audit.${kind}-comment`)
        return stated
          .recorded(change)
          .map((event) => (isMissed ? { ...event, comment: '' } : event))
      },
      mails: (change) => {
        const kind = change.sent.assigned_to_type === 'TEAM' ? 'team-members' : 'user'
        return broken(`notify.${kind}`) ? [] : stated.mails(change)
      },
    },
  }),
}

export const breachesOfExports = [chosen, refusals, files, trail]
