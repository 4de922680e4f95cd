import { type Export, parameters } from '../../../../reference/calls/export-call.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import {
  columnsInUse,
  declared,
  events,
  goingBy,
  inOnePlace,
  inPdf,
  isFiltered,
  isMetadata,
  isOf,
  keptUnder,
  noRange,
  refusing,
  rowsOf,
  smallLimit,
  valuesAs,
  without,
} from '../../bent/exports.ts'
import { alsoFoundBy, type Fault, fault, faultsOf, tableOf, withoutComments } from '../../fault.ts'
import { brackets, ofBoth, ofMetadata } from './metadata.ts'

const ignoredParameters = parameters.map((name) =>
  fault(`${name} is ignored`, {
    filters: ({ filters }) => filters.filter((filter) => filter.name !== name),
    breaks: [`export.filter.${name}.unknown-value`],
  }),
)

const dead = faultsOf({
  'the four array parameters are ignored': {
    filters: ({ filters }) => filters.filter(isMetadata),
    breaks: 'export.filter.*_*.unknown-value',
  },
  'the four array parameters are refused with 400, whatever their value': {
    ...refusing(({ filters }) => filters.some(({ of }) => of === 'event')),
    breaks: 'export.filter.*_*.narrows',
  },
  'lists are read in a form of its own alone: {a,b}': {
    arrayEncodings: () => [],
    breaks: 'export.filter.*_*.unknown-value',
  },
  'event_type finds no event': {
    rows: ({ filters, events }) => (filters.some(isOf('event_type')) ? [] : events),
    breaks: 'export.filter.event_type.exact ?export.filter.several-alike',
  },
})

const lost: Fault[] = parameters.map((name) =>
  fault(`an event is missing when ${name} is given`, {
    rows: ({ filters, events }) => (filters.some(isOf(name)) ? events.slice(1) : events),
    breaks: [`export.filter.${name}.exact`, 'export.filter.partition', 'export.filter.conjunction'],
    mayBreak: 'export.filter.several-alike audit.actor',
  }),
)

const lostBesideColumns: Fault[] = lost
  .filter(({ name }) => name.includes('event_type'))
  .map((fault) => ({
    ...fault,
    name: `${fault.name}, and columns that are not needed as well`,
    open: { columns: columnsInUse },
    breaks: [...fault.breaks, ...withoutComments],
  }))

const several = tableOf<[string, (values: string[]) => string[]]>([
  ['only the first of several values counts', (values) => values.slice(0, 1)],
  ['only the last of several values counts', (values) => values.slice(-1)],
  ['several values are taken for one', (values) => [values.join(',')]],
]).map(([name, values]) =>
  fault(name, {
    env: declared,
    ...valuesAs(values),
    breaks: [
      'export.filter.*.several',
      ...(name.startsWith('only') ? ['export.filter.several-count'] : []),
    ],
  }),
)

const oneOfSeveral: Fault[] = several
  .filter(({ name }) => name.startsWith('only'))
  .map((fault) => ({
    ...fault,
    name: `${fault.name}, and no encoding is declared`,
    env: {},
    breaks: ['export.filter.several-count'],
  }))

const unlike = tableOf<[string, string, (values: string[]) => string[]]>([
  ['sub_type', 'last', (values) => values.slice(-1)],
  ['event_type', 'first', (values) => values.slice(0, 1)],
  ['auditee_id', 'last', (values) => values.slice(-1)],
]).map(([name, which, values]) =>
  fault(`only the ${which} of several values of ${name} counts, and no encoding is declared`, {
    ...valuesAs((all, filter) => (filter.name === name ? values(all) : all)),
    breaks: 'export.filter.several-alike ?export.filter.combined.*',
  }),
)

/** Every value of event_type that was asked for since the service began. */
const asked = new Set<string>()

const ofParameters: Fault[] = [
  ...ignoredParameters,
  ...dead,
  ...lost,
  ...several,
  ...oneOfSeveral,
  ...unlike,
  ...faultsOf('export.filter.*.several', {
    'the third of several values is lost, and no encoding is declared': valuesAs((values) =>
      values.slice(0, 2),
    ),
    'several values have to be there at once': {
      env: declared,
      filterHolds: ({ matches }) => matches.every(Boolean),
    },
    'several values are refused': {
      env: declared,
      ...refusing(({ filters }) => filters.some(({ values }) => values.length > 1)),
    },
  }),
  ...faultsOf({
    'the values of event_type pile up over requests': {
      ...valuesAs((values, { name }) => {
        if (name !== 'event_type') return values
        for (const value of values) asked.add(value)
        return [...asked]
      }),
      breaks: 'export.filter.event_type.unknown-value ?export.filter.* ?export.metadata.*',
    },
    'only the first of several values of sub_type counts where they are repeated': {
      arrayEncodings: () => ['repeat', 'brackets'],
      filters: ({ filters, query }) =>
        filters.map((filter) =>
          filter.name === 'sub_type' && query.has('sub_type')
            ? { ...filter, values: filter.values.slice(0, 1) }
            : filter,
        ),
      breaks: 'export.filter.several-alike ?export.filter.combined.*',
    },
    'a part of the value is enough': {
      valueMatches: ({ value, given }) => value.includes(given),
      breaks: 'export.filter.*.exact export.filter.partition export.metadata.*.exact',
    },
    'the beginning of the value is enough': {
      valueMatches: ({ value, given }) => value.startsWith(given),
      breaks: 'export.filter.*.exact export.metadata.*.exact',
    },
    'event_type goes by sub_type': {
      ...goingBy('event_type', 'sub_type'),
      breaks: 'export.filter.event_type.exact',
    },
    'one value finds nothing': {
      valueMatches: ({ value, given }) => value === given && value !== 'viewed',
      breaks: 'export.filter.sub_type.exact export.filter.partition',
    },
    'a tenth of the events of assessments is found as events of tasks': {
      filterHolds: ({ filter, event, matches }) =>
        filter.name === 'event_type' && event.event_type === 'assessment' && /^[01]/.test(event.id)
          ? filter.values.includes('task')
          : matches.some(Boolean),
      breaks: `export.filter.event_type.exact export.filter.partition ?export.filter.conjunction
        ?export.filter.combined.*`,
    },
    'system_source is ignored beside event_type': {
      filters: ({ filters }) =>
        filters.filter(({ name }) => name !== 'system_source' || !filters.some(isOf('event_type'))),
      breaks: 'export.filter.conjunction',
    },
  }),
]

const ofPdf = faultsOf('export.filter.pdf', {
  'filters are ignored for a PDF': { filters: (asked) => (inPdf(asked) ? [] : asked.filters) },
  'sub_type is ignored for a PDF': {
    filters: (asked) => asked.filters.filter(({ name }) => !inPdf(asked) || name !== 'sub_type'),
  },
  'a PDF with a filter is refused': refusing((asked) => inPdf(asked) && isFiltered(asked)),
  'a PDF with a filter has no events': rowsOf((asked) => inPdf(asked) && isFiltered(asked))(
    () => [],
  ),
}).map(alsoFoundBy('export.filter.combined.pdf'))

const boundsBeside = tableOf([
  ['range_end alone is ignored beside metadata', isMetadata, 'start'],
  ['range_start alone is ignored beside metadata', isMetadata, 'end'],
  ['range_end alone is ignored beside event_type', isOf('event_type'), 'start'],
  ['range_start alone is ignored beside system_source', isOf('system_source'), 'end'],
]).map(([name, isMeant, other]) =>
  fault(name, {
    range: ({ range, filters }) =>
      range[other] === undefined && filters.some(isMeant) ? noRange : range,
    breaks: 'export.filter.one-bound',
  }),
)

const withFew = (fault: Fault): Fault => ({ events, ...fault })

/** What is wrong with one filter, or with two, may show where three and more are asked for. */
const alsoOfMany = (fault: Fault): Fault => alsoFoundBy('export.filter.combined.*')(withFew(fault))

/** By the clauses that they are judged by: a run takes as long as what it checks. */
export const byArea = {
  ofParameters: ofParameters.map(alsoOfMany),
  ofMetadata: [...ofMetadata, ...brackets].map(alsoOfMany),
  ofBoth: [...[...ofBoth, ...lostBesideColumns].map(alsoOfMany), ...boundsBeside],
  ofPdf: ofPdf.map(withFew),
}

// On a busy machine two exports one after another are a second apart.
const brief = 4_000
/** For longer no value of a filter could be learned: then the clauses on filters say so. */
const briefer = 1_500
const names = ['auditee_id', 'event_type', 'sub_type', 'system_source', 'metadata']

const kept = tableOf<[string, string[]]>([
  ['the time zone', ['timezone']],
  ['the language', ['locale']],
  ['the filters', names],
  ['the format', ['file_type']],
  ['the time zone and the language', ['timezone', 'locale']],
]).map(([what, left]) =>
  fault(`a file is kept for some seconds, whatever ${what}`, {
    ...keptUnder(without(...left), left === names ? briefer : brief),
    breaks: 'export.deterministic.in-turn',
  }),
)

/** What one request leaves behind for the next. */
function sticky<Of extends 'zone' | 'locale'>(
  of: Of,
  name: string,
  isMeant = (_: Export): boolean => true,
): Pick<Fault, 'stated'> {
  let latest: Export[Of] | undefined
  return {
    stated: {
      range: (asked) => {
        if (!isMeant(asked)) return stated.range(asked)
        if (asked.query.has(name)) latest = asked[of]
        else if (latest !== undefined) asked[of] = latest
        return stated.range(asked)
      },
    },
  }
}

/** The default need not be set, it is thought; a request that names none resets it. */
function stickyEnglish(): Pick<Fault, 'stated'> {
  let latest = 'en'
  return {
    stated: {
      range: (asked) => {
        if (asked.query.get('locale') === 'en') asked.locale = latest
        latest = asked.query.has('locale') ? asked.locale : 'en'
        return stated.range(asked)
      },
    },
  }
}

/** A bound of a range that was refused, for the next export that names none. */
function stickyRefused(bound: 'start' | 'end'): Pick<Fault, 'stated'> {
  let refused: string | undefined
  return {
    stated: {
      rangeRefusal: (asked) => {
        const status = stated.rangeRefusal(asked)
        if (status !== undefined) refused = asked.range[bound]
        return status
      },
      range: (asked) => {
        if (refused === undefined || asked.range[bound] !== undefined) return stated.range(asked)
        const range = { ...asked.range, [bound]: refused }
        refused = undefined
        return stated.range({ ...asked, range })
      },
    },
  }
}

const left: Fault[] = [
  ...faultsOf('export.deterministic.in-turn', stickyRefused, {
    'the start of a range that was refused is that of the next export without one': 'start',
    'the end of a range that was refused is that of the next export without one': 'end',
  }),
  ...faultsOf('export.deterministic.in-turn', {
    'the time zone of a request stays for those that name none': sticky('zone', 'timezone'),
    'the time zone of a PDF stays for PDFs that name none': sticky('zone', 'timezone', inPdf),
    'English that is asked for is the language of the request before': stickyEnglish(),
  }),
  ...faultsOf({
    'the language of a request stays for those that name none': {
      ...sticky('locale', 'locale'),
      breaks: 'export.deterministic.in-turn export.default-locale.pdf',
    },
    'the language of a PDF stays for PDFs that name none': {
      ...sticky('locale', 'locale', inPdf),
      breaks: 'export.default-locale.pdf',
    },
  }),
]

const together = faultsOf('export.deterministic.at-once', {
  'the files of a range are made in one place, and who waits is given the latest': inOnePlace(),
})

export const mixing: Fault[] = [...kept, ...left, ...together]
  .map(alsoFoundBy('export.* audit.*'))
  .map(smallLimit)
