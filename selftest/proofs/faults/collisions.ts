import { setTimeout as sleep } from 'node:timers/promises'
import type { Stated } from '../../../reference/rules/stated.ts'
import type { Fault } from '../fault.ts'

/** Updates with the current version that are under way at one moment are refused, each for another. */
export function refusingAllAtOnce(): Pick<Stated, 'betweenCheckAndWrite' | 'losesItsTurn'> {
  const underWay = new Map<string, { count: number; met: boolean }>()
  return {
    betweenCheckAndWrite: ({ id }) => {
      const here = underWay.get(id) ?? { count: 0, met: false }
      here.count += 1
      here.met ||= here.count > 1
      underWay.set(id, here)
      return sleep(30)
    },
    losesItsTurn: ({ id }) => {
      const here = underWay.get(id)
      if (!here) return false
      here.count -= 1
      if (here.count === 0) underWay.delete(id)
      return here.met
    },
  }
}

/** Updates that are refused where none was to be, and carried out where they were. */
export const collisions: Fault[] = [
  {
    name: 'of simultaneous updates none is accepted',
    stated: refusingAllAtOnce(),
    breaks: ['version.one-winner'],
  },
  {
    name: 'an update to a team with a stale version is refused, and carried out all the same',
    stated: {
      effectOfRefusal: ({ reason, sent }) =>
        reason === 'version mismatch' && sent.assigned_to_type === 'TEAM' ? 'carried out' : 'none',
    },
    breaks: ['version.refused-changes-nothing'],
    mayBreak: ['version.model', 'version.wrong.garbage', 'version.one-winner'],
  },
]
