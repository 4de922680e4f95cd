import { type Export, parameters } from '../../../../reference/calls/export-call.ts'
import { type Stated, stated } from '../../../../reference/rules/stated.ts'
import {
  cellsAs,
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
  only,
  refusing,
  rowsOf,
  smallLimit,
  valuesAs,
  without,
} from '../../bent/exports.ts'
import {
  alsoFoundBy,
  type Fault,
  fault,
  faultsOf,
  tableOf,
  where,
  withoutComments,
} from '../../fault.ts'
import { brackets, ofBoth, ofMetadata } from './metadata.ts'

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

/** Every value of event_type that was asked for since the service began. */
const asked = new Set<string>()

const ofParameters: Fault[] = [
  ...parameters.map((name) =>
    fault(`${name} is ignored`, {
      filters: ({ filters }) => filters.filter((filter) => filter.name !== name),
      breaks: [`export.filter.${name}.unknown-value`],
    }),
  ),
  ...faultsOf('export.filter.*_*.unknown-value', {
    'the four array parameters are ignored': {
      filters: ({ filters }) => filters.filter(isMetadata),
    },
    'lists are read in a form of its own alone: {a,b}': { arrayEncodings: () => [] },
  }),
  ...faultsOf('export.filter.*.exact export.filter.partition export.metadata.*.exact', {
    'a part of the value is enough': { valueMatches: ({ value, given }) => value.includes(given) },
  }),
  ...faultsOf('export.filter.event_type.exact', {
    'event_type goes by sub_type': goingBy('event_type', 'sub_type'),
  }),
  ...faultsOf({
    'the four array parameters are refused with 400, whatever their value': {
      ...refusing(({ filters }) => filters.some(({ of }) => of === 'event')),
      breaks: 'export.filter.*_*.narrows',
    },
    'event_type finds no event': {
      rows: ({ filters, events }) => (filters.some(isOf('event_type')) ? [] : events),
      breaks: 'export.filter.event_type.exact ?export.filter.several-alike',
    },
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
    'the beginning of the value is enough': {
      valueMatches: ({ value, given }) => value.startsWith(given),
      breaks: 'export.filter.*.exact export.metadata.*.exact',
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
  ...lost,
  ...(['first', 'last'] as const).flatMap((which) => [
    fault(`only the ${which} of several values counts`, {
      env: declared,
      ...valuesAs(only[which]),
      breaks: 'export.filter.*.several export.filter.several-count',
    }),
    fault(`only the ${which} of several values counts, and no encoding is declared`, {
      env: {},
      ...valuesAs(only[which]),
      breaks: 'export.filter.several-count',
    }),
  ]),
  ...tableOf([
    ['sub_type', 'last'],
    ['event_type', 'first'],
    ['auditee_id', 'last'],
  ]).map(([name, which]) =>
    fault(`only the ${which} of several values of ${name} counts, and no encoding is declared`, {
      ...valuesAs((all, filter) => (filter.name === name ? only[which](all) : all)),
      breaks: 'export.filter.several-alike ?export.filter.combined.*',
    }),
  ),
  ...faultsOf('export.filter.*.several', {
    'the third of several values is lost, and no encoding is declared': valuesAs(only.firstTwo),
    'several values are taken for one': {
      env: declared,
      ...valuesAs((values) => [values.join(',')]),
    },
    'several values have to be there at once': {
      env: declared,
      filterHolds: ({ matches }) => matches.every(Boolean),
    },
    'several values are refused': {
      env: declared,
      ...refusing(({ filters }) => filters.some(({ values }) => values.length > 1)),
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

const withFew = (fault: Fault): Fault => ({ events, ...fault })

/** What is wrong with one filter, or with two, may show where three and more are asked for. */
const alsoOfMany = (fault: Fault): Fault => alsoFoundBy('export.filter.combined.*')(withFew(fault))

/** By the clauses that they are judged by: a run takes as long as what it checks. */
export const byArea = {
  ofParameters: ofParameters.map(alsoOfMany),
  ofMetadata: [...ofMetadata, ...brackets].map(alsoOfMany),
  ofBoth: [
    ...[...ofBoth, ...lostBesideColumns].map(alsoOfMany),
    ...tableOf([
      ['range_end alone is ignored beside metadata', isMetadata, 'start'],
      ['range_start alone is ignored beside metadata', isMetadata, 'end'],
      ['range_end alone is ignored beside event_type', isOf('event_type'), 'start'],
      ['range_start alone is ignored beside system_source', isOf('system_source'), 'end'],
    ]).map(([name, isMeant, other]) =>
      fault(name, {
        ...cellsAs(({ query }) => query.has('timezone'))((cell) => cell.replace(/Z$/, '+00:00')),
        range: ({ range, filters }) =>
          range[other] === undefined && filters.some(isMeant) ? noRange : range,
        breaks: 'export.filter.one-bound',
      }),
    ),
  ],
  ofPdf: ofPdf.map(withFew),
}

// On a busy machine two exports one after another are a second apart.
const brief = 4_000
/** For longer no value of a filter could be learned: then the clauses on filters say so. */
const briefer = 1_500
const names = ['auditee_id', 'event_type', 'sub_type', 'system_source', 'metadata']

/** What one request leaves behind for the next. */
function sticky<Of extends 'zone' | 'locale'>(of: Of, name: string, isMeant = (_: Export) => true) {
  let latest: Export[Of] | undefined
  return where(isMeant, {
    range: (asked) => {
      if (asked.query.has(name)) latest = asked[of]
      else if (latest !== undefined) asked[of] = latest
      return stated.range(asked)
    },
  })
}

let latestLocale = 'en'

/** A bound of a range that was refused, for the next export that names none. */
function stickyRefused(bound: 'start' | 'end'): Partial<Stated> {
  let refused: string | undefined
  return {
    rangeRefusal: (asked) => {
      const status = stated.rangeRefusal(asked)
      if (status !== undefined) refused = asked.range[bound]
      return status
    },
    range: ({ range }) => {
      if (refused === undefined || range[bound] !== undefined) return range
      const other = { ...range, [bound]: refused }
      refused = undefined
      return other
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
    // The default need not be set, it is thought; a request that names none resets it.
    'English that is asked for is the language of the request before': {
      range: (asked) => {
        if (asked.query.get('locale') === 'en') asked.locale = latestLocale
        latestLocale = asked.query.has('locale') ? asked.locale : 'en'
        return stated.range(asked)
      },
    },
  }),
  ...faultsOf('export.deterministic.in-turn export.default-locale.pdf', {
    'the language of a request stays for those that name none': sticky('locale', 'locale'),
  }),
  ...faultsOf('export.default-locale.pdf', {
    'the language of a PDF stays for PDFs that name none': sticky('locale', 'locale', inPdf),
  }),
]

export const mixing: Fault[] = [
  ...tableOf<[string, string[]]>([
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
  ),
  ...left,
  ...faultsOf('export.deterministic.at-once', {
    'the files of a range are made in one place, and who waits is given the latest': inOnePlace(),
  }),
]
  .map(alsoFoundBy('export.* audit.*'))
  .map(smallLimit)
