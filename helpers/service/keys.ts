import type { Faker } from '../../engine/random.ts'

/** A key with what it is, and JavaScript that makes it of the valid one, `k`, where it is much like it. */
export type InvalidKey = [what: string, key: string, js?: string]

/** Keys that are not valid, though some come close to one that is, by what they are. */
export function invalidKeysLike(key: string, random: Faker): InvalidKey[] {
  const last = key.endsWith('x') ? 'y' : 'x'
  const keys: InvalidKey[] = [
    ['a random key', random.string.alphanumeric(32)],
    ['an empty key', ''],
    ['the key without its last character', key.slice(0, -1), 'k.slice(0, -1)'],
    ['the key with a suffix', `${key},!`, 'k + ",!"'],
    ['the key behind something else', `x${key}`, '"x" + k'],
    [
      'the key with another last character',
      `${key.slice(0, -1)}${last}`,
      `k.slice(0, -1) + ${JSON.stringify(last)}`,
    ],
  ]
  return keys.filter(([, candidate], at) => candidate !== '' || at === 1)
}

/** The key with the case of every letter changed. */
export const otherCase = (key: string): string =>
  key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** The same in JavaScript, of the key `k`. */
export const otherCaseJs =
  '[...k].map((h) => (h === h.toLowerCase() ? h.toUpperCase() : h.toLowerCase())).join("")'
