import { unescaped } from '../../../../engine/unescaped.ts'
import type { Call } from '../../../../reference/calls/call.ts'
import { metadataKeys } from '../../../../reference/calls/events.ts'
import { type Export, type Filter, valueIn } from '../../../../reference/calls/export-call.ts'
import { type Open, open } from '../../../../reference/rules/open.ts'
import { type Stated, stated } from '../../../../reference/rules/stated.ts'
import { makeWorld } from '../../../../reference/world/world.ts'
import {
  declared,
  goingBy,
  isMetadata,
  isOf,
  knownValues,
  noRange,
  refusing,
  rowsOf,
  twoDays,
} from '../../bent/exports.ts'
import { type Fault, fault, faultsOf, tableOf } from '../../fault.ts'

const underAnyKey = (isMeant: (name: string) => boolean): Partial<Stated> => ({
  filters: ({ filters, events }) =>
    filters.map((filter) => {
      if (!isMetadata(filter) || !isMeant(filter.name)) return filter
      const name = [filter.name, ...metadataKeys].find((name) =>
        events.some((event) =>
          filter.values.includes(valueIn(event, { of: 'metadata', name }) ?? ''),
        ),
      )
      return { ...filter, name: name ?? filter.name }
    }),
})

const readAs = (read: (given: string) => string | undefined): Partial<Stated> => ({
  valueMatches: ({ value, given, filter }) => value === (isMetadata(filter) ? read(given) : given),
})

const hasMetadata = ({ filters }: Export) => filters.some(isMetadata)

/** Of the filters by metadata this one counts. */
const keptOf = (kept: (filters: Filter[]) => Filter | undefined): Partial<Stated> => ({
  filters: ({ filters }) =>
    filters.filter((filter) => !isMetadata(filter) || filter === kept(filters)),
})

export const ofMetadata: Fault[] = [
  ...faultsOf('export.query-forms', 'queryText', {
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
  })),
  ...metadataKeys.map((name) =>
    fault(`metadata[${name}] is ignored`, {
      filters: ({ filters }) => filters.filter((filter) => filter.name !== name),
      breaks: [`export.metadata.${name}.unknown-value`],
    }),
  ),
  ...faultsOf('export.metadata.match_id.exact', {
    'metadata[match_id] goes by entity_id': goingBy('match_id', 'entity_id'),
    'metadata[match_id], which the file does not show, goes by entity_id': {
      env: knownValues(),
      columns: () => ['id', 'time', 'comment', 'event_type', 'entity_id', 'task_id'],
      ...goingBy('match_id', 'entity_id'),
    },
  }),
  ...faultsOf('export.metadata.assessment_id.exact', {
    'metadata[assessment_id] goes by task_id': goingBy('assessment_id', 'task_id'),
    'metadata[assessment_id] goes by workflow_instance_id, and columns have other names': {
      columnTitle: ({ column }) => `Spalte ${column.length}${column[0]}`,
      ...goingBy('assessment_id', 'workflow_instance_id'),
    },
    'a value of metadata ends at an ampersand': readAs((given) => given.split('&')[0]),
  }),
  ...faultsOf('export.metadata.cache_id.exact', {
    'metadata[cache_id] goes by inquiry_id': goingBy('cache_id', 'inquiry_id'),
  }),
  ...faultsOf('export.metadata.tag.exact', {
    'metadata[tag] goes by workflow_step': goingBy('tag', 'workflow_step'),
    'a part of a tag of three letters is enough': {
      env: { METADATA_VALUES: 'tag=vip' },
      columns: () => ['id', 'time', 'event_type', 'sub_type', 'comment'],
      valueMatches: ({ filter, value, given }) =>
        value === given || (filter.name === 'tag' && value.length === 3 && value.includes(given)),
    },
    'metadata[tag] finds no event': rowsOf(({ filters }) => filters.some(isOf('tag')))(() => []),
  }),
  ...faultsOf('export.metadata.*.exact', underAnyKey, {
    'metadata is matched under any key': () => true,
  }),
  ...faultsOf('export.metadata.task_id.exact', {
    'metadata[task_id] is matched under any key': underAnyKey((name) => name === 'task_id'),
    'a value of metadata is divided at semicolons': readAs((given) => given.split(';')[0]),
  }),
  ...faultsOf('export.metadata.entity_id.exact', readAs, {
    'a value of metadata is decoded twice': unescaped,
  }),
  ...faultsOf('export.metadata.workflow_instance_id.exact', readAs, {
    'a value of metadata ends at a second equals sign': (given) => given.split('=')[0],
  }),
  ...faultsOf('export.metadata.screening_application_id.exact', readAs, {
    'a value of metadata is divided at plus signs': (given) => given.split('+')[0],
  }),
  ...faultsOf('export.metadata.*.accepted', {
    'metadata is refused, and no value is declared': { env: {}, ...refusing(hasMetadata) },
    'metadata is refused, and values are declared': {
      env: knownValues(),
      ...refusing(hasMetadata),
    },
  }),
  ...faultsOf('export.metadata.several-keys export.metadata.conjunction', keptOf, {
    'only the first metadata key counts': (filters) => filters.find(isMetadata),
    'only the last metadata key counts': (filters) => filters.findLast(isMetadata),
  }),
  ...faultsOf('export.metadata.tag.accepted', {
    'metadata[tag] is refused': refusing(({ filters }) => filters.some(isOf('tag'))),
  }),
  ...faultsOf({
    'metadata is ignored': {
      filters: ({ filters }) => filters.filter((filter) => !isMetadata(filter)),
      breaks: 'export.metadata.*.unknown-value',
    },
    'several metadata keys are refused': {
      ...refusing(({ filters }) => filters.filter(isMetadata).length > 1),
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

/** Every second key is asked for the one, and the others for the other. */
function asked(sign: string) {
  const place = ['%', '_'].indexOf(sign)
  return metadataKeys.filter((_, at) => at % 2 === place)
}

export const brackets = faultsOf(
  'export.metadata.encoded-brackets',
  // Brackets that are percent-encoded are those of another name.
  (which: RegExp): Partial<Open> => ({
    queryText: ({ text }) => text.replaceAll(which, '$1%255B'),
  }),
  {
    'keys in percent-encoded brackets are passed over': /(metadata)%5B/gi,
    'of several keys the first may not be percent-encoded': /(^\?.*?metadata)%5B/gi,
    'of several keys the last may not be percent-encoded': /(metadata)%5B(?!.*metadata)/gi,
  },
)

export const ofBoth: Fault[] = [
  ...tableOf<[string, RegExp, string]>([
    ['%', /%/g, '.*'],
    ['_', /_/g, '.'],
    ['*', /\*/g, '.*'],
  ]).map(([sign, all, pattern]) =>
    fault(`${sign} in a value stands for anything`, {
      valueMatches: ({ value, given }) =>
        value === given ||
        (given.includes(sign) && new RegExp(`^${given.replace(all, pattern)}$`).test(value)),
      breaks: [
        'export.filter.*.exact',
        ...asked(sign).map((key) => `export.metadata.${key}.exact`),
      ],
    }),
  ),
  ...faultsOf('export.filter.*.unknown-value export.metadata.*.unknown-value', {
    'all filters are ignored': { env: declared, filters: () => [] },
    'a value that no event has is passed over': {
      filters: ({ filters, events }) =>
        filters.filter((filter) =>
          events.some((event) => filter.values.includes(valueIn(event, filter) ?? '')),
        ),
    },
  }),
  ...faultsOf('export.filter.conjunction export.metadata.conjunction ?audit.actor-alone', {
    'any of several filters is enough': { filtersHold: ({ held }) => held.some(Boolean) },
  }),
  ...faultsOf({
    'a filter makes the range be ignored': {
      events: 6_600,
      env: twoDays,
      range: ({ range, filters }) => (filters.length > 0 ? noRange : range),
      breaks: `export.filter.*.narrows export.filter.*.exact export.metadata.*.narrows
        export.metadata.*.exact ?export.*.conjunction ?export.metadata.encoded-brackets`,
    },
    'an event is missing when metadata is given': {
      rows: ({ filters, events }) => (filters.some(isMetadata) ? events.slice(1) : events),
      breaks: `export.metadata.*.exact export.metadata.several-keys export.metadata.conjunction
        export.filter.conjunction audit.assignment-recorded ?export.pdf.text-intact`,
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

type Keyed = Parameters<Stated['keyIsValid']>[0]

/** A cache in front of the key check: it answers repeated requests without a key. */
function keptBeforeTheKey(): Partial<Stated> {
  const kept = new Set<string>()
  return {
    keyIsRequired: (call) => !(isExport(call) && kept.has(call.query.toString())),
    keyIsValid: (call) => {
      if (!stated.keyIsValid(call)) return false
      kept.add(call.query.toString())
      return true
    },
  }
}

/** Files that hold events are kept before the key is looked at: an empty one is made anew. */
function filesKept(fileTypes: readonly string[]): Partial<Stated> {
  const kept = new Set<string>()
  return {
    keyIsRequired: (call) => !(isExport(call) && kept.has(call.query.toString())),
    rows: ({ events, fileType, query }) => {
      if (events.length > 0 && fileTypes.includes(fileType)) kept.add(query.toString())
      return events
    },
  }
}

const isReversed = (call: Call) =>
  (call.query.get('range_start') ?? '') > (call.query.get('range_end') ?? '9')

const { apiKey } = makeWorld(1, { events: 0 })

/** A wrong key stops more than its own request: of what it was to be refused with nothing is seen. */
const stopped = new Set<string>()

export const exportKeys: Fault[] = [
  ...faultsOf(
    `auth.missing-key.export ?auth.invalid-besides.* ?auth.missing-key.files ?auth.other-paths`,
    (isMeant: (call: Call) => boolean) => ({ keyIsRequired: (call) => !isMeant(call) }),
    {
      'a PDF needs no key': isOfPdf,
      'an export with filters needs no key': isFiltered,
      'an export in a time zone needs no key': isZoned,
      'an export with a file_type needs no key': (call) =>
        isExport(call) && call.query.has('file_type'),
      'a PDF with filters needs no key': (call) => isOfPdf(call) && isFiltered(call),
    },
  ),
  ...faultsOf(
    'auth.invalid-key.export ?auth.invalid-besides.*',
    (isLetIn: (call: Keyed) => boolean) => ({
      keyIsValid: (call) => stated.keyIsValid(call) || isLetIn(call),
    }),
    {
      'any key is let in for a PDF': isOfPdf,
      'an empty key is let in for a PDF': (call) => isOfPdf(call) && call.given === '',
      'the beginning of the key is enough for a PDF': (call) =>
        isOfPdf(call) && call.given.length > 8 && call.key.startsWith(call.given),
      'a key with a suffix is let in beside filters': (call) =>
        isFiltered(call) && call.given.startsWith(call.key),
    },
  ),
  ...faultsOf('auth.invalid-besides.export.status', {
    'the range is looked at before the key': { order: (call) => ['range', ...open.order(call)] },
    'the key is not looked at where the range is reversed': {
      keyIsRequired: (call) => !isReversed(call),
    },
  }),
  ...faultsOf({
    'an unknown file_type is passed over, and the key with it': {
      keyIsRequired: (call) => call.query.get('file_type') !== 'docx',
      queryRefusal: (asked) => (asked.flaw === 'file type' ? undefined : open.queryRefusal(asked)),
      breaks: `auth.invalid-besides.export auth.invalid-besides.export.status
      ?export.invalid.file-type ?auth.missing-key.export`,
    },
    'a metadata key that is not allowed is passed over, and the key with it': {
      keyIsValid: (call) => stated.keyIsValid(call) || call.query.has('metadata[colour]'),
      queryRefusal: (asked) =>
        asked.flaw === 'metadata key' ? undefined : open.queryRefusal(asked),
      breaks: `auth.invalid-besides.export auth.invalid-besides.export.status
      ?export.invalid.metadata-key ?auth.invalid-key.export`,
    },
  }),
  ...faultsOf({
    'a wrong key breaks the export and an assessment down, and tasks are read without one': {
      keyIsRequired: ({ op }) => op !== 'task.read',
      unauthorizedStatus: ({ op }) => (op === 'export' ? 500 : 401),
      order: () => ['path', 'permission', 'key'],
      permits: ({ op, id, headers }) => {
        if (op === 'assessment.read' && headers.get('apikey') !== apiKey) stopped.add(id)
        return !stopped.has(id)
      },
      forbiddenStatus: () => 500,
      breaks: `auth.missing-key.task.read auth.other-carriers auth.other-carriers.query
        ?auth.before-lookup.assessment.read ?auth.invalid-besides.* ?auth.other-paths ?assessment.*`,
    },
  }),
  ...faultsOf('auth.missing-key.export auth.missing-key.files ?auth.*', {
    'a file is kept before the key is looked at': keptBeforeTheKey(),
  }),
  ...faultsOf('auth.missing-key.files ?auth.missing-key.export', filesKept, {
    'files with events are kept before the key is looked at': ['csv', 'pdf'],
    'PDFs with events are kept before the key is looked at': ['pdf'],
  }),
].map((fault) => ({ events: 100, ...fault }))
