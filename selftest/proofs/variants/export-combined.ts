import type { Column, Export } from '../../../reference/calls/export-call.ts'
import { open } from '../../../reference/rules/open.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { asDays, autumn, events, inCsv, inPdf } from '../bent/exports.ts'
import { type Variant, variant, variantsNamed, withoutComments } from '../fault.ts'

/** A service that refuses what the contract does not say that it has to take. */
const refusing = (what: string, isRefused: (asked: Export) => boolean) =>
  variant(`${what} is refused`, {
    rangeRefusal: (asked) => (isRefused(asked) ? 400 : stated.rangeRefusal(asked)),
  })

const isZoned = ({ query }: Export) => query.has('timezone')
const isForeign = ({ locale }: Export) => locale !== 'en'
const isFiltered = ({ filters }: Export) => filters.length > 0

/** By when, zone and filters a file was asked for. */
const titleLines = ({ range: { start, end }, filters, zone }: Export) => [
  `${start} to ${end}, ${zone}`,
  ...filters.map(({ name, values }) => `${name}: ${values.join(', ')}`),
]

const all: Variant[] = [
  refusing('a filter beside a time zone', (asked) => isFiltered(asked) && isZoned(asked)),
  refusing('a filter beside another language', (asked) => isFiltered(asked) && isForeign(asked)),
  refusing(
    'a PDF with a filter in a zone and a language',
    (asked) => inPdf(asked) && isFiltered(asked) && (isZoned(asked) || isForeign(asked)),
  ),
  ...variantsNamed({
    'zones off by a part of an hour are not supported, and passed over': {
      supportsZone: ({ zone }) => !/St_Johns|Kolkata|Kathmandu/.test(zone),
      queryRefusal: (asked) => (asked.flaw === 'time zone' ? undefined : open.queryRefusal(asked)),
      mayWarn: ['export.invalid.timezone', 'export.timezone.accepted'],
    },
    'PDFs show the time and the type alone': {
      columns: ({ fileType }) =>
        fileType === 'pdf'
          ? ['time', 'event_type']
          : ['id', 'time', 'event_type', 'comment', 'entity_id'],
    },
    'PDFs show the id alone': {
      columns: ({ fileType }) =>
        fileType === 'pdf' ? ['id'] : ['id', 'time', 'event_type', 'comment', 'entity_id'],
    },
    'filtered PDFs say in their title by what and when': { titleLines },
    'lines in front that name the filters have as many cells as events': {
      events: 1_200,
      env: autumn,
      columns: ({ fileType }) => (fileType === 'csv' ? ['time', 'description'] : ['id', 'time']),
      titleLines,
      warns: withoutComments,
    },
    'lines in front that name the filters, of a file that has times alone': {
      env: autumn,
      columns: ({ fileType }) => (fileType === 'csv' ? ['time'] : ['id', 'time']),
      titleLines,
      headerRow: () => false,
      dateForm: asDays,
      warns: withoutComments,
    },
    'a line of what was asked for in place of the header of one column': {
      columns: ({ fileType }) => (fileType === 'csv' ? ['time'] : ['id', 'time']),
      headerRow: () => false,
      titleLines: ({ query }) => [`Parameters: ${[...query.keys()].join(' ')}`],
      warns: withoutComments,
    },
  }),
]

/** In other languages the columns of a CSV stand in another order. */
const otherOrder = (what: string, columnsOf: (asked: Export) => Column[]) =>
  variant(`in other languages the columns of a CSV begin with the comment${what}`, {
    events,
    columns: (asked) => {
      const columns = columnsOf(asked)
      const first = columns.indexOf('comment')
      return isForeign(asked) && inCsv(asked)
        ? [...columns.slice(first), ...columns.slice(0, first)]
        : columns
    },
  })

export const otherOrders: Variant[] = [
  otherOrder('', open.columns),
  otherOrder(', and no file shows ids', (asked) =>
    open.columns(asked).filter((column) => column !== 'id'),
  ),
]

/** Files in forms that the contract leaves open, where several of them meet. */
export const variants = [...all.map((variant) => ({ events, ...variant })), ...otherOrders]
