import type { Call } from '../../../../reference/calls/call.ts'
import { open } from '../../../../reference/rules/open.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import { makeWorld } from '../../../../reference/world/world.ts'
import { type Fault, fault, faultsNamed, tableOf } from '../../fault.ts'

const isExport = ({ op }: Call) => op === 'export'
const isOfPdf = (call: Call) => isExport(call) && call.query.get('file_type') === 'pdf'
const isFiltered = (call: Call) =>
  isExport(call) && [...call.query.keys()].some((name) => name.startsWith('metadata['))
const isZoned = (call: Call) => isExport(call) && call.query.has('timezone')

/** Exports that skip the key check in one form. */
const missing = tableOf<[string, (call: Call) => boolean]>([
  ['a PDF', isOfPdf],
  ['an export with filters', isFiltered],
  ['an export in a time zone', isZoned],
  ['an export with a file_type', (call) => isExport(call) && call.query.has('file_type')],
  ['a PDF with filters', (call) => isOfPdf(call) && isFiltered(call)],
]).map(([what, isMeant]) =>
  fault(`${what} needs no key`, {
    keyIsRequired: (call) => !isMeant(call),
    breaks: ['auth.missing-key.export'],
    mayBreak: ['auth.invalid-besides.*', 'auth.missing-key.files', 'auth.other-paths'],
  }),
)

const invalid = tableOf<[string, (call: Call & { given: string; key: string }) => boolean]>([
  ['any key is let in for a PDF', (call) => isOfPdf(call)],
  ['an empty key is let in for a PDF', (call) => isOfPdf(call) && call.given === ''],
  [
    'the beginning of the key is enough for a PDF',
    (call) => isOfPdf(call) && call.given.length > 8 && call.key.startsWith(call.given),
  ],
  [
    'a key with a suffix is let in beside filters',
    (call) => isFiltered(call) && call.given.startsWith(call.key),
  ],
]).map(([name, isLetIn]) =>
  fault(name, {
    keyIsValid: (call) => stated.keyIsValid(call) || isLetIn(call),
    breaks: ['auth.invalid-key.export'],
    mayBreak: ['auth.invalid-besides.*'],
  }),
)

/** A cache in front of the key check: it answers repeated requests without a key. */
function keptBeforeTheKey(): Pick<Fault, 'stated'> {
  const kept = new Set<string>()
  const isKept = (call: Call) => isExport(call) && kept.has(call.query.toString())
  return {
    stated: {
      keyIsRequired: (call) => !isKept(call),
      keyIsValid: (call) => {
        if (!stated.keyIsValid(call)) return false
        kept.add(call.query.toString())
        return true
      },
    },
  }
}

/** Files that hold events are kept before the key is looked at: an empty one is made anew. */
function filesKept(fileTypes: readonly string[]): Pick<Fault, 'stated'> {
  const kept = new Set<string>()
  return {
    stated: {
      keyIsRequired: (call) => !(isExport(call) && kept.has(call.query.toString())),
      rows: ({ events, fileType, query }) => {
        if (events.length > 0 && fileTypes.includes(fileType)) kept.add(query.toString())
        return events
      },
    },
  }
}

const isReversed = (call: Call) =>
  (call.query.get('range_start') ?? '') > (call.query.get('range_end') ?? '9')

const besides = faultsNamed({
  'an unknown file_type is passed over, and the key with it': {
    keyIsRequired: (call) => call.query.get('file_type') !== 'docx',
    queryRefusal: (asked) => (asked.flaw === 'file type' ? undefined : open.queryRefusal(asked)),
    breaks: ['auth.invalid-besides.export', 'auth.invalid-besides.export.status'],
    mayBreak: ['export.invalid.file-type', 'auth.missing-key.export'],
  },
  'a metadata key that is not allowed is passed over, and the key with it': {
    keyIsValid: (call) => stated.keyIsValid(call) || call.query.has('metadata[colour]'),
    queryRefusal: (asked) => (asked.flaw === 'metadata key' ? undefined : open.queryRefusal(asked)),
    breaks: ['auth.invalid-besides.export', 'auth.invalid-besides.export.status'],
    mayBreak: ['export.invalid.metadata-key', 'auth.invalid-key.export'],
  },
  'the range is looked at before the key': {
    order: (call) => ['range', ...open.order(call)],
    breaks: ['auth.invalid-besides.export.status'],
  },
  'the key is not looked at where the range is reversed': {
    keyIsRequired: (call) => !isReversed(call),
    breaks: ['auth.invalid-besides.export.status'],
  },
})

const { apiKey } = makeWorld(1, { events: 0 })

/** A wrong key stops more than its own request: of what it was to be refused with nothing is seen. */
function stoppedByKeys(): Fault {
  const stopped = new Set<string>()
  return fault(
    'a wrong key breaks the export and an assessment down, and tasks are read without one',
    {
      keyIsRequired: ({ op }) => op !== 'task.read',
      unauthorizedStatus: ({ op }) => (op === 'export' ? 500 : 401),
      order: () => ['path', 'permission', 'key'],
      permits: ({ op, id, headers }) => {
        if (op === 'assessment.read' && headers.get('apikey') !== apiKey) stopped.add(id)
        return !stopped.has(id)
      },
      forbiddenStatus: () => 500,
      breaks: ['auth.missing-key.task.read', 'auth.other-carriers', 'auth.other-carriers.query'],
      mayBreak: [
        'auth.before-lookup.assessment.read',
        'auth.invalid-besides.*',
        'auth.other-paths',
        'assessment.*',
      ],
    },
  )
}

/** Caught by the clauses on the key of an export. */
export const faults: Fault[] = [
  ...missing,
  ...invalid,
  ...faultsNamed({
    'a file is kept before the key is looked at': {
      ...keptBeforeTheKey(),
      breaks: ['auth.missing-key.export', 'auth.missing-key.files'],
      mayBreak: ['auth.*'],
    },
    'files with events are kept before the key is looked at': {
      ...filesKept(['csv', 'pdf']),
      breaks: ['auth.missing-key.files'],
      mayBreak: ['auth.missing-key.export'],
    },
    'PDFs with events are kept before the key is looked at': {
      ...filesKept(['pdf']),
      breaks: ['auth.missing-key.files'],
      mayBreak: ['auth.missing-key.export'],
    },
  }),
  ...besides,
  stoppedByKeys(),
].map((fault) => ({ events: 100, ...fault }))
