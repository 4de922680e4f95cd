import { counted } from '../../engine/counted.ts'
import type { Kind } from '../../engine/findings/kind.ts'
import type { Symptom } from '../../engine/findings/symptom.ts'
import { statuses } from '../contract/statuses.ts'

/** Of simultaneous updates of one task, another number than one was accepted. */
type WinnersFinding = {
  kind: 'winners'
  sent: number
  accepted: number
  /** the If-Match that the accepted updates share, if they were not sent at one moment */
  ifMatch?: string
  /** none was accepted in this many rounds, although one of each was when sent alone */
  rounds?: number
}

declare module '../../engine/findings/finding.ts' {
  interface FindingKinds {
    winners: WinnersFinding
  }
}

export const winnersFinding = (facts: Omit<WinnersFinding, 'kind'>): WinnersFinding => ({
  kind: 'winners',
  ...facts,
})

const severalWinners: Symptom = {
  key: 'several winners',
  title: 'Accepts several updates with the same If-Match',
  explainedBy: ['unchanged version', 'accepted stale version'],
}

const noWinner: Symptom = {
  key: 'no winner',
  title: 'Rejects each of several simultaneous updates',
}

export const winners: Kind<WinnersFinding> = {
  symptomsOf: ({ accepted }) => [accepted > 1 ? severalWinners : noWinner],
  wordsOf({ sent, accepted, ifMatch, rounds }) {
    const refusal = statuses.staleVersion
    if (ifMatch !== undefined)
      return {
        sentence: `${accepted} updates with the same If-Match, ${ifMatch}, were all accepted`,
        expected: `${refusal} to all but one`,
        got: `2xx to ${accepted}`,
      }
    const expected = `one accepted, ${refusal} to the others`
    if (rounds !== undefined)
      return {
        sentence: `${sent} simultaneous updates with the current version were rejected with ${refusal} in each of ${counted(rounds, 'round')}, but one of each round was accepted when sent again alone`,
        expected,
        got: 'none accepted',
      }
    return {
      sentence: `${accepted} of ${sent} simultaneous updates with one If-Match were accepted, not one`,
      expected,
      got: `${accepted} accepted`,
    }
  },
}
