import type { Faker } from '../../engine/random.ts'

/** Keys that are not valid, though some come close to one that is, by what they are. */
export function invalidKeysLike(key: string, random: Faker): [string, string][] {
  const keys: [string, string][] = [
    ['a random key', random.string.alphanumeric(32)],
    ['an empty key', ''],
    ['the key without its last character', key.slice(0, -1)],
    ['the key with a suffix', `${key}x`],
    ['the key behind something else', `x${key}`],
    ['the key with another last character', `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`],
  ]
  return keys.filter(([, candidate], at) => candidate !== '' || at === 1)
}

/** The key with the case of every letter changed. */
export const otherCase = (key: string): string =>
  key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
