import type { ArrayEncoding } from '../../calls/export-call.ts'
import { words } from '../../calls/locales.ts'
import { open } from '../../rules/open.ts'
import { stated } from '../../rules/stated.ts'
import type { Aspect } from '../aspect.ts'
import { isRefusal, type Seen } from '../seen.ts'

const separated: readonly ArrayEncoding[] = ['comma', 'pipe', 'semicolon', 'space']
const encodings: readonly ArrayEncoding[] = ['repeat', 'brackets', 'indices', ...separated, 'json']

/** How filters are written. */
const filters: Aspect = {
  of: ['export.array-encoding', 'export.metadata-bracket-encoding', 'export.filter-case'],
  rules(seen) {
    const { one, several } = seen.members('export.array-encoding')
    const understood = encodings.filter((each) => [one, several].flat().includes(each))
    // A separator within one value is read as well as a name that comes again.
    const read = understood.some((each) => separated.includes(each))
      ? understood.filter((each) => each !== 'repeat')
      : understood
    if (Array.isArray(several) && several.length === 0)
      seen.unclear('export.array-encoding', 'saw no form in which several values are understood')
    const { encoded, dot } = seen.members('export.metadata-bracket-encoding')
    const effects = seen.members('export.filter-case')
    const ignoresCase = (name: string) => {
      return effects[name] === 'the same events'
    }
    return {
      open: {
        ...(read.length > 0 ? { arrayEncodings: () => read } : {}),
        queryText: ({ text }) => {
          const asked =
            encoded === undefined || encoded === 'the same events'
              ? text
              : text.replaceAll(/%5B/gi, '%255B')
          return dot === 'the same events'
            ? asked.replaceAll(/(?<=[?&])metadata\.(\w+)=/g, 'metadata[$1]=')
            : asked
        },
        ...(isKnownCase(effects.auditee_id) && !ignoresCase('auditee_id')
          ? { idKey: ({ id }) => id }
          : {}),
      },
      stated: {
        valueMatches: (asked) => {
          const { filter, value, given } = asked
          const like = filter.of === 'event' ? 'event_type' : 'tag'
          if (!ignoresCase(like) || filter.name.endsWith('_id')) return stated.valueMatches(asked)
          return value.toLowerCase() === given.toLowerCase()
        },
      },
    }
  },
}

const isKnownCase = (effect: unknown) => effect !== undefined && effect !== 'not known'

/** What bounds of a range are taken for that are written otherwise than the contract shows. */
const bounds: Aspect = {
  of: ['export.range.offset-form', 'export.range.date-only', 'export.range.null'],
  rules(seen) {
    const words = ['the instants they are', 'the same clock in UTC'] as const
    const days = ['its first instant', 'the whole day'] as const
    const offset = boundWord(seen, 'export.range.offset-form', words)
    const day = boundWord(seen, 'export.range.date-only', days)
    const taken = seen.members('export.range.null')
    return {
      open: {
        instantFrom: (asked) => {
          const { parameter, value } = asked
          if (/^\d{4}-\d\d-\d\d$/.test(value) && typeof day === 'string') {
            const isEnd = parameter === 'range_end' && day === 'the whole day'
            const time = isEnd ? '23:59:59.999999999Z' : '00:00:00Z'
            return open.instantFrom({ ...asked, value: `${value}T${time}` })
          }
          if (!/[+-]\d\d:\d\d$/.test(value) || offset === undefined) return open.instantFrom(asked)
          if (isRefusal(offset)) return undefined
          if (offset === 'the instants they are') return open.instantFrom(asked)
          return open.instantFrom({ ...asked, value: `${value.slice(0, -6)}Z` })
        },
        isNotGiven: (asked) => {
          const { parameter, value } = asked
          const name = value === '' ? 'empty' : value
          const as = parameter.startsWith('range_') ? taken[name] : undefined
          return as === undefined ? open.isNotGiven(asked) : as === 'none'
        },
      },
    }
  },
}

/** A word, or the status of a refusal. */
function boundWord<Word extends string>(seen: Seen, id: string, words: readonly Word[]) {
  const value = seen.value(id)
  return isRefusal(value) ? value : seen.word(id, words)
}

/** Which languages there are. */
const locales: Aspect = {
  of: ['export.locales-that-change-the-file', 'export.locale-unsupported'],
  rules(seen) {
    const changing = seen.words('export.locales-that-change-the-file')
    if (seen.value('export.locales-that-change-the-file') === undefined) return {}
    const unsupported = seen.members('export.locale-unsupported')
    if (Object.values(unsupported).includes('another file'))
      seen.unclear('export.locale-unsupported', 'saw another file for a language that there is not')
    const strange = changing.filter((locale) => !Object.hasOwn(words, locale))
    if (strange.length > 0)
      seen.assume(
        `the words of ${strange.join(', ')} are the English ones with the language behind`,
      )
    return {
      open: {
        locales: () => ['en', ...changing],
        label: (shown) => {
          const { column, value, locale } = shown
          const isWord = column === 'event_type' || column === 'sub_type'
          return isWord && strange.includes(locale) ? `${value} (${locale})` : open.label(shown)
        },
      },
    }
  },
}

/** Whether a CSV has a limit. */
const csvLimit: Aspect = {
  of: ['export.csv-size-limit'],
  rules(seen) {
    const { status } = seen.members('export.csv-size-limit')
    if (!isRefusal(status)) return {}
    seen.assume('a CSV is refused where it would hold more than half of all events')
    return { open: { csvRefusal: ({ count, total }) => (count > total / 2 ? status : undefined) } }
  },
}

export const aspectsOfQueries = [filters, bounds, locales, csvLimit]
