import { type Encoding, encodeList } from './query-lists.ts'

export const forms = ['plain', 'label', 'inside'] as const

/** a header, or the position from 1 on without a header row */
type ColumnName = string | number

export type ExportFacts = {
  delimiter?: string
  encoding?: string
  columns?: readonly string[] | number
  fields?: { [field: string]: { column: ColumnName; form: (typeof forms)[number] } | null }
  time?: { columns: readonly ColumnName[]; zone: 'UTC' | 'not known' }
  lists?: Encoding
  timezones?: readonly string[]
  locales?: readonly string[]
  pdf?: { columns: readonly ColumnName[]; letters: number }
}

export const columnName = (place: number, header: readonly string[] | undefined): ColumnName =>
  header?.[place] ?? place + 1

const howShown = { plain: 'as they are', label: 'as labels', inside: 'among other text' }

const exampleOf = (encoding: Encoding) =>
  decodeURIComponent(encodeList('event_type', ['A', 'B'], encoding).join('&'))

export function describeExportFacts(facts: ExportFacts): [string, string][] {
  const { delimiter, encoding, columns, fields = {}, time, lists, timezones, locales, pdf } = facts
  const inForm = (form: (typeof forms)[number]) =>
    Object.entries(fields).flatMap(([field, shown]) => {
      if (shown?.form !== form) return []
      return shown.column === field ? field : `${field} in ${shown.column}`
    })
  const unknown = Object.keys(fields).filter((field) => fields[field] === null)
  const said: [string, string | undefined][] = [
    ['Cells of a CSV are separated by', delimiter && JSON.stringify(delimiter)],
    ['A CSV is encoded as', encoding],
    [
      'Columns of a CSV',
      typeof columns === 'number' ? `${columns}, without column headers` : columns?.join(', '),
    ],
    ...forms.map((form): [string, string] => [
      `Filters whose values a column shows ${howShown[form]}`,
      inForm(form).join(', '),
    ]),
    ['Filters whose values no column shows', unknown.join(', ')],
    [
      'The time of an event is in',
      time &&
        `${time.columns.join(' and ')}, ${time.zone === 'UTC' ? 'in UTC' : 'in an unknown zone'}`,
    ],
    ['A list in a query is written as', lists && exampleOf(lists)],
    ['Time zones that were tried and are accepted', timezones?.join(', ')],
    ['Languages that were tried and are accepted', locales?.join(', ')],
    [
      'Events in a PDF are told apart by',
      pdf && `the first ${pdf.letters} letters of ${pdf.columns.join(' and ')}`,
    ],
  ]
  return said.flatMap(([about, fact]): [string, string][] => (fact ? [[about, fact]] : []))
}
