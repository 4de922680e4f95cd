import type { DueStatus } from '../../../engine/findings/kind.ts'
import { describeDue, isRejectionDue, type StatusFinding } from '../../../engine/findings/status.ts'
import { isAccepted, type Scene, type Symptom } from './cause.ts'

/** One cause for each status that is due to one mistake, and each that comes in its place. */
export function causesOfStatus(finding: StatusFinding, { breach, route }: Scene): Symptom[] {
  const { wanted, of, all } = finding
  const status = all?.join() ?? String(of.status)
  const mistake = mistakeAt(wanted)
  if (mistake === undefined) {
    const { differs = [] } = breach
    const places = isRejectionDue(wanted) ? differs.map(placeOf) : []
    return [{ key: `${route} ${places.join()}: ${describeDue(wanted)} as ${status}` }]
  }
  // Each resource is looked up by its own code.
  const where = wanted === 404 ? route : ''
  return [
    {
      key: `${wanted} as ${status} ${where}`,
      title: `Responds ${status}, not ${wanted}, to ${mistake}`,
      ...(wanted === 401 ? { isGrave: isAccepted(of) } : {}),
    },
  ]
}

function mistakeAt(due: DueStatus): string | undefined {
  if (due === 401) return 'a request without a valid key'
  if (due === 404) return 'an id that does not exist'
  return due === 409 ? 'a wrong or stale If-Match' : undefined
}

/** "header if-match", without what is below it */
const placeOf = (place: string): string => place.split(' ', 2).join(' ')
