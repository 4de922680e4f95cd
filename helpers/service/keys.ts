import type { Faker } from '../../engine/random.ts'

export function invalidKeysLike(key: string, random: Faker) {
  const last = key.endsWith('x') ? 'y' : 'x'
  const keys: [what: string, key: string][] = [
    ['a random key', random.string.alphanumeric(32)],
    ['an empty key', ''],
    ['the key without its last character', key.slice(0, -1)],
    ['the key with a suffix', `${key},!`],
    ['the key behind something else', `x${key}`],
    ['the key with another last character', `${key.slice(0, -1)}${last}`],
  ]
  return keys
    .filter(([, candidate], at) => candidate !== '' || at === 1)
    .map(([what, candidate]) => [what, { key: candidate }] as const)
}
