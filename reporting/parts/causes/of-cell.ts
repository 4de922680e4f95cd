import type { CellFinding } from '../../../engine/findings/cell.ts'
import type { Symptom } from '../../../engine/findings/symptom.ts'

/** One cause for each mark of a failure, and for each kind of file that is wrong by the same parameters or column. */
export function causesOfCell(finding: CellFinding): Symptom[] {
  if (finding.wrong === 'mark') {
    const { mark } = finding
    return [{ key: `mark ${mark}`, title: `Writes a failure marker as a value: ${mark}` }]
  }
  const { place, column } = finding
  const file = names[place.in]
  const parameters = Object.keys(place.others ?? {}).sort()
  if (parameters.length > 0)
    return [
      {
        key: `${place.in} by ${parameters.join()}`,
        title: `Writes wrong values in a ${file} with ${parameters.join(' and ')}`,
      },
    ]
  const where = typeof column === 'string' ? ` in ${column}` : ''
  return [
    {
      key: `${place.in} ${finding.wrong}${where}`,
      title: `${mistakes[finding.wrong]}${where}, in a ${file}`,
    },
  ]
}

const names = { csv: 'CSV', pdf: 'PDF', trail: 'file of the audit trail' }

const mistakes: Readonly<Record<Exclude<CellFinding['wrong'], 'mark'>, string>> = {
  value: 'Writes another value',
  missing: 'Leaves out values',
  empty: 'Leaves values empty',
  clock: 'Writes the times of another clock',
  offset: 'Writes times without the offset of their time zone',
  zone: 'Writes the times of another time zone',
  unreal: 'Writes times that no calendar has',
  halves: 'Writes the same times for morning and afternoon',
}
