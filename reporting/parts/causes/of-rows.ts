import { isWithin, type Place, type RowsFinding } from '../../../engine/findings/file-rows.ts'
import type { Symptom } from '../../../engine/findings/symptom.ts'

/** Rows that are wrong in one way: by a time zone or a language, the bounds of ranges, filters of one number, or in any file. */
export function causesOfRows(finding: RowsFinding): Symptom[] {
  if (isUnsteady(finding))
    return [{ key: 'unsteady', title: 'Does not always return the same rows to the same request' }]
  const parameters = parametersOf(finding)
  if (parameters.length > 0 && filtersOf(finding).length === 0)
    return [
      {
        key: `rows by ${parameters.join()}`,
        title: `Returns other events with ${parameters.join(' and ')}`,
      },
    ]
  if (isOfRange(finding))
    return [{ key: 'rows by range', title: 'Returns other events than those of a range' }]
  const way = wayOf(finding)
  const scope = scopeOf(finding)
  const forms = scope === 'file' ? placesOf(finding).map((place) => place.in) : []
  return [
    { key: `rows ${way} ${scope} ${forms.sort().join()}`, title: `${titles[way]}${where[scope]}` },
  ]
}

export const isUnsteady = ({ isUnsteady, wrong }: RowsFinding): boolean =>
  isUnsteady === true || wrong === 'unsteady'

export const placesOf = ({ place }: RowsFinding): readonly Place[] => [place].flat() as Place[]

export const filtersOf = (finding: RowsFinding): string[] => [
  ...new Set(placesOf(finding).flatMap(({ filters = {} }) => Object.keys(filters))),
]

/** The other parameters, such as timezone. */
export const parametersOf = (finding: RowsFinding): string[] => [
  ...new Set(placesOf(finding).flatMap(({ others = {} }) => Object.keys(others))),
]

export const hasSeveralValues = (finding: RowsFinding): boolean =>
  placesOf(finding).some(({ filters = {} }) =>
    Object.values(filters).some((values) => values.length > 1),
  )

/** Whether its range decides what has to be in the file. */
function isOfRange(finding: RowsFinding): boolean {
  const { bound, wrong } = finding
  if (bound !== undefined || wrong === 'outside' || wrong === 'sum') return true
  const isRanged = placesOf(finding).some(({ range }) => range !== undefined)
  return isRanged && filtersOf(finding).length === 0
}

type Way = 'fewer' | 'more' | 'others'

export function wayOf({ wrong, got, wanted }: RowsFinding): Way {
  switch (wrong) {
    case 'missing':
    case 'fewer':
      return 'fewer'
    case 'others':
    case 'unsteady':
      return 'others'
    case 'number':
    case 'sum':
      return isWithin(got, { ...wanted, most: Infinity }) ? 'more' : 'fewer'
    default:
      return 'more'
  }
}

const titles: Readonly<Record<Way, string>> = {
  fewer: 'Leaves out events',
  more: 'Returns events that do not belong there',
  others: 'Returns other events than it has to',
}

type Scope = 'file' | 'filter' | 'values' | 'filters'

function scopeOf(finding: RowsFinding): Scope {
  const { length } = filtersOf(finding)
  if (length > 1) return 'filters'
  if (hasSeveralValues(finding)) return 'values'
  return length === 1 ? 'filter' : 'file'
}

const where: Readonly<Record<Scope, string>> = {
  file: '',
  filter: ' where there is a filter',
  values: ' where a filter has several values',
  filters: ' where filters are combined',
}
