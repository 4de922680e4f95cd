import type { RefusedUpdate } from './refused-update.ts'

/**
 * Values that If-Match never was, made by changing digits of one that is: a version is a string to
 * be given back, so it is never parsed and printed again.
 */
export const wrongVersions = {
  /** the last digit before the zone changed */
  near: (version: string) => {
    const [, before, zone] = /^(.*?)([Zz]|[+-][\d:]+)?$/s.exec(version) ?? []
    return `${(before ?? version).replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))}${zone ?? ''}`
  },
  /** a year before */
  older: (version: string) => movedYear(version, -1),
  /** a year after */
  future: (version: string) => movedYear(version, 1),
}

const movedYear = (version: string, by: number) =>
  version.replace(/\d{4}/, (year) => String(Number(year) + by).padStart(4, '0'))

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
