import { wrongVersions } from '../service/wrong-versions.ts'
import type { RefusedUpdate } from './refused-update.ts'

/** A valid update with another If-Match than the current version. */
export const withVersion = (
  what: string,
  version: RefusedUpdate['version'],
  on: RefusedUpdate['on'] = 'any',
): RefusedUpdate => ({
  what,
  on,
  body: (valid) => ({ update: valid }),
  version,
})

/** A valid update that names no version. */
export const absent = withVersion('without If-Match', () => undefined)

export const aYearAhead = withVersion('whose If-Match is a year ahead', wrongVersions.future)
