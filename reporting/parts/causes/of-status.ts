import type { DueStatus } from '../../../engine/findings/kind.ts'
import {
  describeDue,
  isRejectionDue,
  keyOfStatus,
  type StatusFinding,
} from '../../../engine/findings/status.ts'
import type { Symptom } from '../../../engine/findings/symptom.ts'
import { isAccepted, type Scene } from './cause.ts'

/** One cause for each status that is due to one mistake, and each that comes in its place. */
export function causesOfStatus(finding: StatusFinding, scene: Scene): Symptom[] {
  const { breach, route, statuses } = scene
  const { wanted, of, all } = finding
  const status = all?.join() ?? String(of.status)
  const mistake = mistakeBehind(finding, scene)
  if (mistake === undefined) {
    const { differs = [] } = breach
    const places = isRejectionDue(wanted) ? differs.map(placeOf) : []
    return [
      {
        key: `${route} ${places.join()}: ${dueOf(wanted)} as ${status}`,
        title: titleOf(finding, route, places),
      },
    ]
  }
  // Each resource is looked up by its own code.
  const where = wanted === statuses.unknownId ? ` ${route}` : ''
  return [
    {
      key: `${keyOfStatus(wanted, status)}${where}`,
      title: `Responds ${status}, not ${describeDue(wanted)}, to ${mistake}`,
      ...(wanted === statuses.badKey ? { isGrave: isAccepted(of) } : {}),
    },
  ]
}

function mistakeBehind({ wanted }: StatusFinding, { statuses }: Scene): string | undefined {
  if (wanted === statuses.badKey) return 'a request without a valid key'
  if (wanted === statuses.unknownId) return 'an id that does not exist'
  return wanted === statuses.staleVersion ? 'a wrong or stale If-Match' : undefined
}

function titleOf({ wanted, of, all }: StatusFinding, route: string, places: string[]): string {
  const status = all?.join(', ') ?? String(of.status)
  const due = typeof wanted === 'object' ? '' : `, not ${wanted},`
  const mistake = places.length > 0 ? ` with a mistake in its ${places.join(' and ')}` : ''
  return `Responds ${status}${due} to ${route}${mistake}`
}

/** Whether the one success is due or any, the service does not accept the request. */
const dueOf = (wanted: DueStatus): string =>
  typeof wanted === 'number' && wanted < 300 ? '2xx' : describeDue(wanted)

/** "header if-match", without what is below it */
const placeOf = (place: string): string => {
  const [part = '', name = ''] = place.split(' ')
  return part === 'body' ? part : `${part} ${name}`
}
