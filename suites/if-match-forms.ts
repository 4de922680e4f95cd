import { describe } from 'vitest'
import { isAccepted } from '../engine/http/answers.ts'
import type { Observation } from '../engine/observation.ts'
import { clause } from '../helpers/clause.ts'
import type { RefusedUpdate } from '../helpers/updates/refused-update.ts'
import { absent, withVersion } from '../helpers/updates/versions.ts'

const section = 'Errors'

describe('Optimistic concurrency', () => {
  const forms: Record<string, { observe: string; update: RefusedUpdate }> = {
    'missing-status': { observe: 'how an update without If-Match is refused', update: absent },
    quoted: {
      observe: 'whether If-Match is taken in quotes',
      update: withVersion('whose If-Match is in quotes', (version) => `"${version}"`, 'unassigned'),
    },
    weak: {
      observe: 'whether If-Match is taken as a weak validator',
      update: withVersion('whose If-Match is weak', (version) => `W/"${version}"`, 'unassigned'),
    },
    case: {
      observe: 'whether If-Match is taken in another letter case',
      update: withVersion(
        'whose If-Match is in lower case',
        (version) => version.toLowerCase(),
        'unassigned',
      ),
    },
    offset: {
      observe: 'whether If-Match is taken with the offset +00:00 in place of Z',
      update: withVersion(
        'whose If-Match has an offset',
        (version) => version.replace(/z$/i, '+00:00'),
        'unassigned',
      ),
    },
    whitespace: {
      observe: 'whether If-Match is taken with a space inside',
      update: withVersion('whose If-Match has a space inside', (version) =>
        version.replace(/[Tt]/, (letter) => ` ${letter}`),
      ),
    },
  }
  for (const [kind, { observe, update }] of Object.entries(forms))
    clause(
      `version.${kind}`,
      { observe, section },
      async ({ refusedUpdates }): Promise<Observation> => {
        const { answer } = await refusedUpdates.try(update)
        return isAccepted(answer) ? 'accepted' : answer.status
      },
    )
})
