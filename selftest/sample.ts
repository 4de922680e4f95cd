import { randomFor } from '../engine/random.ts'

/** A sample of a list in its order, the same for the same seed. */
export function sampleOf<T>(list: readonly T[], size: number, seed: number): T[] {
  if (size >= list.length) return [...list]
  const chosen = new Set(randomFor(seed, 'sample').helpers.arrayElements(list, size))
  return list.filter((one) => chosen.has(one))
}
