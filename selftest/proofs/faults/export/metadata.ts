import { unescaped } from '../../../../engine/unescaped.ts'
import type { Call } from '../../../../reference/calls/call.ts'
import { metadataKeys } from '../../../../reference/calls/events.ts'
import { type Filter, valueIn } from '../../../../reference/calls/export-call.ts'
import { type Open, open } from '../../../../reference/rules/open.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import { makeWorld } from '../../../../reference/world/world.ts'
import { declared, isMetadata, knownValues, twoDays } from '../../bent/exports.ts'
import { type Fault, fault, faultsOf, tableOf } from '../../fault.ts'

const ignoredKeys = metadataKeys.map((name) =>
  fault(`metadata[${name}] is ignored`, {
    filters: ({ filters }) => filters.filter((filter) => filter.name !== name),
    breaks: [`export.metadata.${name}.unknown-value`],
  }),
)

const mistaken = tableOf<[string, string]>([
  ['match_id', 'entity_id'],
  ['assessment_id', 'task_id'],
  ['cache_id', 'inquiry_id'],
  ['tag', 'workflow_step'],
]).map(([key, other]) =>
  fault(`metadata[${key}] goes by ${other}`, {
    filters: ({ filters }) =>
      filters.map((filter) => (filter.name === key ? { ...filter, name: other } : filter)),
    breaks: [`export.metadata.${key}.exact`],
  }),
)

const underAnyKey = tableOf<[string, (name: string) => boolean, string]>([
  ['metadata is', () => true, 'export.metadata.*.exact'],
  ['metadata[task_id] is', (name) => name === 'task_id', 'export.metadata.task_id.exact'],
]).map(([what, isMeant, breaks]) =>
  fault(`${what} matched under any key`, {
    filters: ({ filters, events }) =>
      filters.map((filter) => {
        if (!isMetadata(filter) || !isMeant(filter.name)) return filter
        const names = [filter.name, ...metadataKeys].filter((name) =>
          events.some((event) =>
            filter.values.includes(valueIn(event, { of: 'metadata', name }) ?? ''),
          ),
        )
        return { ...filter, name: names[0] ?? filter.name }
      }),
    breaks: [breaks],
  }),
)

const readOtherwise = tableOf<[string, string, (given: string) => string | undefined]>([
  ['is decoded twice', 'entity_id', unescaped],
  ['ends at an ampersand', 'assessment_id', (given) => given.split('&')[0]],
  ['is divided at semicolons', 'task_id', (given) => given.split(';')[0]],
  ['ends at a second equals sign', 'workflow_instance_id', (given) => given.split('=')[0]],
  ['is divided at plus signs', 'screening_application_id', (given) => given.split('+')[0]],
]).map(([what, name, read]) =>
  fault(`a value of metadata ${what}`, {
    valueMatches: ({ value, given, filter }) =>
      value === (isMetadata(filter) ? read(given) : given),
    breaks: [`export.metadata.${name}.exact`],
  }),
)

const forms = faultsOf('export.query-forms', 'queryText', {
  'hex digits in lower case are not decoded': ({ text }) =>
    text.replaceAll(/%(?=[0-9a-f][a-f])/g, '%25'),
  'letters that need no code are not decoded': ({ text }) =>
    text.replaceAll(/%(?=[46][1-9a-f]|[57][0-9a])/gi, '%25'),
  'filters count only behind the range': ({ text }) => {
    const [before = '', ...behind] = text.split('range_start=')
    const kept = before.replaceAll(/(metadata|auditee|event_type|sub_type|system)[^&]*&/g, '')
    return [kept, ...behind].join('range_start=')
  },
}).map((each) => ({
  ...each,
  mayBreak: ['export.metadata.encoded-brackets', 'export.filter.one-bound'],
}))

export const ofMetadata: Fault[] = [
  ...readOtherwise,
  ...forms,
  ...ignoredKeys,
  ...mistaken,
  ...underAnyKey,
  ...([{}, knownValues()] as const).map((env) =>
    fault(
      `metadata is refused, and ${'METADATA_VALUES' in env ? 'values are' : 'no value is'} declared`,
      {
        env,
        rangeRefusal: (asked) =>
          asked.filters.some(isMetadata) ? 400 : stated.rangeRefusal(asked),
        breaks: 'export.metadata.*.accepted',
      },
    ),
  ),
  ...(['first', 'last'] as const).map((which) =>
    fault(`only the ${which} metadata key counts`, {
      filters: ({ filters }) => {
        const kept = which === 'first' ? filters.find(isMetadata) : filters.findLast(isMetadata)
        return filters.filter((filter) => !isMetadata(filter) || filter === kept)
      },
      breaks: 'export.metadata.several-keys export.metadata.conjunction',
    }),
  ),
  ...faultsOf({
    'metadata is ignored': {
      filters: ({ filters }) => filters.filter((filter) => !isMetadata(filter)),
      breaks: 'export.metadata.*.unknown-value',
    },
    'metadata[assessment_id] goes by workflow_instance_id, and columns have other names': {
      columnTitle: ({ column }) => `Spalte ${column.length}${column[0]}`,
      filters: ({ filters }) =>
        filters.map((filter) =>
          filter.name === 'assessment_id' ? { ...filter, name: 'workflow_instance_id' } : filter,
        ),
      breaks: 'export.metadata.assessment_id.exact',
    },
    'metadata[match_id], which the file does not show, goes by entity_id': {
      env: knownValues(),
      columns: () => ['id', 'time', 'comment', 'event_type', 'entity_id', 'task_id'],
      ...mistaken[0]?.stated,
      breaks: 'export.metadata.match_id.exact',
    },
    'a part of a tag of three letters is enough': {
      env: { METADATA_VALUES: 'tag=vip' },
      columns: () => ['id', 'time', 'event_type', 'sub_type', 'comment'],
      valueMatches: ({ filter, value, given }) =>
        value === given || (filter.name === 'tag' && value.length === 3 && value.includes(given)),
      breaks: 'export.metadata.tag.exact',
    },
    'metadata[tag] is refused': {
      rangeRefusal: (asked) =>
        asked.filters.some(({ name }) => name === 'tag') ? 400 : stated.rangeRefusal(asked),
      breaks: 'export.metadata.tag.accepted',
    },
    'metadata[tag] finds no event': {
      rows: ({ filters, events }) => (filters.some(({ name }) => name === 'tag') ? [] : events),
      breaks: 'export.metadata.tag.exact',
    },
    'several metadata keys are refused': {
      rangeRefusal: (asked) =>
        asked.filters.filter(isMetadata).length > 1 ? 400 : stated.rangeRefusal(asked),
      breaks: 'export.metadata.several-keys export.metadata.conjunction',
    },
    'metadata[assessment_id] is passed over beside metadata[entity_id]': {
      filters: ({ filters }) =>
        filters.some(({ name }) => name === 'entity_id')
          ? filters.filter(({ name }) => name !== 'assessment_id')
          : filters,
      breaks: 'export.metadata.conjunction ?export.metadata.several-keys ?export.filter.combined.*',
    },
    'any of several metadata keys is enough': {
      filtersHold: ({ filters, held }) => {
        const metadata = held.filter((_, at) => isMetadata(filters[at] as Filter))
        const others = held.filter((_, at) => !isMetadata(filters[at] as Filter))
        return others.every(Boolean) && (metadata.length === 0 || metadata.some(Boolean))
      },
      breaks: 'export.metadata.conjunction ?export.filter.combined.*',
    },
  }),
]

const wildcards = tableOf<[string, RegExp, string]>([
  ['%', /%/g, '.*'],
  ['_', /_/g, '.'],
  ['*', /\*/g, '.*'],
]).map(([sign, all, pattern]) =>
  fault(`${sign} in a value stands for anything`, {
    valueMatches: ({ value, given }) =>
      value === given ||
      (given.includes(sign) && new RegExp(`^${given.replace(all, pattern)}$`).test(value)),
    breaks: ['export.filter.*.exact', ...asked(sign).map((key) => `export.metadata.${key}.exact`)],
  }),
)

/** Every second key is asked for the one, and the others for the other. */
function asked(sign: string) {
  const place = ['%', '_'].indexOf(sign)
  return metadataKeys.filter((_, at) => at % 2 === place)
}

/** Brackets that are percent-encoded are those of another name. */
const encoded = (which: RegExp): Partial<Open> => ({
  queryText: ({ text }) => text.replaceAll(which, '$1%255B'),
})

export const brackets = tableOf<[string, RegExp]>([
  ['keys in percent-encoded brackets are passed over', /(metadata)%5B/gi],
  ['of several keys the first may not be percent-encoded', /(^\?.*?metadata)%5B/gi],
  ['of several keys the last may not be percent-encoded', /(metadata)%5B(?!.*metadata)/gi],
]).map(([name, which]) =>
  fault(name, { ...encoded(which), breaks: 'export.metadata.encoded-brackets' }),
)

export const ofBoth: Fault[] = [
  ...wildcards,
  ...faultsOf({
    'all filters are ignored': {
      env: declared,
      filters: () => [],
      breaks: 'export.filter.*.unknown-value export.metadata.*.unknown-value',
    },
    'a value that no event has is passed over': {
      filters: ({ filters, events }) =>
        filters.filter((filter) =>
          events.some((event) => filter.values.includes(valueIn(event, filter) ?? '')),
        ),
      breaks: 'export.filter.*.unknown-value export.metadata.*.unknown-value',
    },
    'a filter makes the range be ignored': {
      events: 6_600,
      env: twoDays,
      range: ({ range, filters }) =>
        filters.length > 0 ? { start: undefined, end: undefined } : range,
      breaks: `export.filter.*.narrows export.filter.*.exact export.metadata.*.narrows
        export.metadata.*.exact`,
    },
    'an event is missing when metadata is given': {
      rows: ({ filters, events }) => (filters.some(isMetadata) ? events.slice(1) : events),
      breaks: `export.metadata.*.exact export.metadata.several-keys export.metadata.conjunction
        export.filter.conjunction audit.assignment-recorded ?export.pdf.text-intact`,
    },
    'any of several filters is enough': {
      filtersHold: ({ held }) => held.some(Boolean),
      breaks: 'export.filter.conjunction export.metadata.conjunction ?audit.actor-alone',
    },
    'only the first of several filters counts': {
      filters: ({ filters }) => filters.slice(0, 1),
      breaks: 'export.filter.conjunction export.metadata.several-keys export.metadata.conjunction',
    },
  }),
]

const isExport = ({ op }: Call) => op === 'export'
const isOfPdf = (call: Call) => isExport(call) && call.query.get('file_type') === 'pdf'
const isFiltered = (call: Call) =>
  isExport(call) && [...call.query.keys()].some((name) => name.startsWith('metadata['))
const isZoned = (call: Call) => isExport(call) && call.query.has('timezone')

const missing = tableOf<[string, (call: Call) => boolean]>([
  ['a PDF', isOfPdf],
  ['an export with filters', isFiltered],
  ['an export in a time zone', isZoned],
  ['an export with a file_type', (call) => isExport(call) && call.query.has('file_type')],
  ['a PDF with filters', (call) => isOfPdf(call) && isFiltered(call)],
]).map(([what, isMeant]) =>
  fault(`${what} needs no key`, {
    keyIsRequired: (call) => !isMeant(call),
    breaks: 'auth.missing-key.export',
    mayBreak: 'auth.invalid-besides.* auth.missing-key.files auth.other-paths',
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
    breaks: 'auth.invalid-key.export',
    mayBreak: 'auth.invalid-besides.*',
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

const besides = faultsOf({
  'an unknown file_type is passed over, and the key with it': {
    keyIsRequired: (call) => call.query.get('file_type') !== 'docx',
    queryRefusal: (asked) => (asked.flaw === 'file type' ? undefined : open.queryRefusal(asked)),
    breaks: `auth.invalid-besides.export auth.invalid-besides.export.status
      ?export.invalid.file-type ?auth.missing-key.export`,
  },
  'a metadata key that is not allowed is passed over, and the key with it': {
    keyIsValid: (call) => stated.keyIsValid(call) || call.query.has('metadata[colour]'),
    queryRefusal: (asked) => (asked.flaw === 'metadata key' ? undefined : open.queryRefusal(asked)),
    breaks: `auth.invalid-besides.export auth.invalid-besides.export.status
      ?export.invalid.metadata-key ?auth.invalid-key.export`,
  },
  'the range is looked at before the key': {
    order: (call) => ['range', ...open.order(call)],
    breaks: 'auth.invalid-besides.export.status',
  },
  'the key is not looked at where the range is reversed': {
    keyIsRequired: (call) => !isReversed(call),
    breaks: 'auth.invalid-besides.export.status',
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
      breaks: 'auth.missing-key.task.read auth.other-carriers auth.other-carriers.query',
      mayBreak: `
        auth.before-lookup.assessment.read auth.invalid-besides.* auth.other-paths assessment.*
      `,
    },
  )
}

export const exportKeys: Fault[] = [
  ...missing,
  ...invalid,
  ...besides,
  stoppedByKeys(),
  ...faultsOf({
    'a file is kept before the key is looked at': {
      ...keptBeforeTheKey(),
      breaks: 'auth.missing-key.export auth.missing-key.files ?auth.*',
    },
    'files with events are kept before the key is looked at': {
      ...filesKept(['csv', 'pdf']),
      breaks: 'auth.missing-key.files ?auth.missing-key.export',
    },
    'PDFs with events are kept before the key is looked at': {
      ...filesKept(['pdf']),
      breaks: 'auth.missing-key.files ?auth.missing-key.export',
    },
  }),
].map((fault) => ({ events: 100, ...fault }))
