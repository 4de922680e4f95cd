import type { Faker } from './random.ts'

/** Keys that are not valid, though some come close to one that is. */
export function invalidKeysLike(key: string, random: Faker): string[] {
  return [random.string.alphanumeric(32), '', key.slice(0, -1), `${key}x`].filter(
    (candidate, index, all) => candidate !== key && all.indexOf(candidate) === index,
  )
}

/** The key with the case of every letter changed. */
export const otherCase = (key: string): string =>
  key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
