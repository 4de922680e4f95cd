import { describe } from 'vitest'
import type { Observation } from '../engine/observation.ts'
import { clause } from '../helpers/clause.ts'
import { isAccepted } from '../helpers/service/answers.ts'
import type { Faulty } from '../helpers/updates/refused-update.ts'
import { absent, withVersion } from '../helpers/updates/versions.ts'

const section = 'Errors'

describe('Optimistic concurrency', () => {
  const forms: Record<string, { observe: string; faulty: Faulty }> = {
    'missing-status': { observe: 'how an update without If-Match is refused', faulty: absent },
    quoted: {
      observe: 'whether If-Match is taken in quotes',
      faulty: withVersion('whose If-Match is in quotes', (version) => `"${version}"`, 'unassigned'),
    },
    weak: {
      observe: 'whether If-Match is taken as a weak validator',
      faulty: withVersion('whose If-Match is weak', (version) => `W/"${version}"`, 'unassigned'),
    },
    case: {
      observe: 'whether If-Match is taken in another letter case',
      faulty: withVersion(
        'whose If-Match is in lower case',
        (version) => version.toLowerCase(),
        'unassigned',
      ),
    },
    offset: {
      observe: 'whether If-Match is taken with the offset +00:00 in place of Z',
      faulty: withVersion(
        'whose If-Match has an offset',
        (version) => version.replace(/z$/i, '+00:00'),
        'unassigned',
      ),
    },
    whitespace: {
      observe: 'whether If-Match is taken with a space inside',
      faulty: withVersion('whose If-Match has a space inside', (version) =>
        version.replace(/[Tt]/, (letter) => ` ${letter}`),
      ),
    },
  }
  for (const [kind, { observe, faulty }] of Object.entries(forms))
    clause(`version.${kind}`, { observe, section }, async ({ attempts }): Promise<Observation> => {
      const { answer } = await attempts.of(faulty)
      return isAccepted(answer) ? 'accepted' : answer.status
    })
})
