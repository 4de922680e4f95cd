import type { Export } from '../../../../reference/calls/export-call.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import { inOnePlace, inPdf, keptUnder, smallLimit, without } from '../../bent/exports.ts'
import {
  alsoFoundBy,
  type Fault,
  fault,
  faultsBreaking,
  faultsNamed,
  tableOf,
} from '../../fault.ts'

// On a busy machine two exports one after another are a second apart.
const brief = 4_000
/** For longer no value of a filter could be learned: then the clauses on filters say so. */
const briefer = 1_500
const names = ['auditee_id', 'event_type', 'sub_type', 'system_source', 'metadata']

/** Files that are kept for some seconds under less than their query. */
const kept = tableOf<[string, string[]]>([
  ['the time zone', ['timezone']],
  ['the language', ['locale']],
  ['the filters', names],
  ['the format', ['file_type']],
  ['the time zone and the language', ['timezone', 'locale']],
]).map(([what, left]) =>
  fault(`a file is kept for some seconds, whatever ${what}`, {
    ...keptUnder(without(...left), left === names ? briefer : brief),
    breaks: ['export.deterministic.in-turn'],
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
      // Asked for every export, before its file is written.
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
  ...(['start', 'end'] as const).map((bound) => ({
    name: `the ${bound} of a range that was refused is that of the next export without one`,
    ...stickyRefused(bound),
    breaks: ['export.deterministic.in-turn'],
  })),
  ...faultsBreaking('export.deterministic.in-turn', {
    'the time zone of a request stays for those that name none': sticky('zone', 'timezone'),
    'the time zone of a PDF stays for PDFs that name none': sticky('zone', 'timezone', inPdf),
    'English that is asked for is the language of the request before': stickyEnglish(),
  }),
  ...faultsNamed({
    'the language of a request stays for those that name none': {
      ...sticky('locale', 'locale'),
      breaks: ['export.deterministic.in-turn', 'export.default-locale.pdf'],
    },
    'the language of a PDF stays for PDFs that name none': {
      ...sticky('locale', 'locale', inPdf),
      breaks: ['export.default-locale.pdf'],
    },
  }),
]

const together = faultsBreaking('export.deterministic.at-once', {
  'the files of a range are made in one place, and who waits is given the latest': inOnePlace(),
})

/** Caught by asking in turn, and at the same time. */
export const faults: Fault[] = [...kept, ...left, ...together]
  .map(alsoFoundBy('export.*', 'audit.*'))
  .map(smallLimit)
