import { randomFor } from '../engine/random.ts'

/** The same few for the same seed, in the order of the list. */
export function sampleOf<T>(list: readonly T[], size: number, seed: number): T[] {
  if (size >= list.length) return [...list]
  const chosen = new Set(randomFor(seed, 'sample').helpers.arrayElements(list, size))
  return list.filter((one) => chosen.has(one))
}
