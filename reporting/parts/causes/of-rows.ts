import type { RowsFinding } from '../../../engine/findings/file-rows.ts'
import type { Scene, Symptom } from './cause.ts'

/** Rows that are wrong in one way: by the same filters, or where one thing is said of any parameter. */
export function causesOfRows(finding: RowsFinding, { route, statement }: Scene): Symptom[] {
  const { wrong, bound, place, isUnsteady } = finding
  if (isUnsteady)
    return [
      {
        key: `unsteady ${route}`,
        title: 'Does not always return the same rows to the same request',
      },
    ]
  if (bound) return [{ key: `${route} ${wrong} at a bound` }]
  const filters = [place].flat().flatMap(({ filters = {} }) => Object.keys(filters))
  const names = [...new Set(filters)].sort().join()
  return [
    { key: `${route} ${wrong}: ${statement.replace(parameters, '…')}` },
    ...(names === '' ? [] : [{ key: `${route} ${wrong} by ${names}` }]),
  ]
}

const parameters = /\bmetadata\[\w+\]|\b[a-z]+(?:_[a-z]+)+\b/g
