import type { Update } from '../../../../reference/calls/call.ts'
import type { Hidden } from '../../fault.ts'

export type Refused = Update & { reason: string }

/** Carries out so many of the first unassigns that are refused so, as all others are. */
export function unassigningAtFirst(most: number, isMeant: (refused: Refused) => boolean) {
  let times = 0
  return {
    // A second try counts anew.
    surroundings: async () => {
      times = 0
      return { env: {}, close: async () => {} }
    },
    stated: {
      effectOfRefusal: (refused: Refused) => {
        if (refused.op === 'assign.unassign' && isMeant(refused)) times += 1
        else return 'none'
        return times <= most ? 'carried out' : 'none'
      },
    } satisfies Hidden['stated'],
  }
}
