import type { CellFinding } from '../../../engine/findings/cell.ts'
import type { Symptom } from './cause.ts'

/** One cause for each mark of a failure, and for each kind of file that is wrong by the same parameters or column. */
export function causesOfCell(finding: CellFinding): Symptom[] {
  if (finding.wrong === 'mark') {
    const { mark } = finding
    return [{ key: `mark ${mark}`, title: `Writes a failure marker as a value: ${mark}` }]
  }
  const { place, column } = finding
  const parameters = Object.keys(place.others ?? {}).sort()
  if (parameters.length > 0)
    return [
      {
        key: `${place.in} by ${parameters.join()}`,
        title: `Writes wrong values in a ${names[place.in]} with ${parameters.join(' and ')}`,
      },
    ]
  const where = typeof column === 'string' ? ` in ${column}` : ''
  return [{ key: `${place.in} ${finding.wrong}${where}` }]
}

const names = { csv: 'CSV', pdf: 'PDF', trail: 'audit trail' }
