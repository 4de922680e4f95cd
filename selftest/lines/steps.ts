import { listSources } from '../kept.ts'
import type { Proof } from '../proofs/proofs.ts'

/** The rooms of tests that run what they test in their own process. */
const rooms = [
  ...['files', 'run', 'toy'].map((room) => `selftest/engine/${room}`),
  'selftest/files',
  'selftest/helpers',
]

let listed: string[] | undefined

export function listTests(): string[] {
  listed ??= listSources(...rooms).filter((file) => file.endsWith('.test.ts'))
  return listed
}

/** One proof of each area after another, so that a few of them already go far. */
export function turnsOfProofs(proofs: readonly Proof[]): Proof[] {
  const turns = new Map<string, number>()
  const turned = proofs.map((proof) => {
    const key = `${proof.by} ${proof.isVariant}`
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    return { proof, turn }
  })
  return turned.toSorted((one, two) => one.turn - two.turn).map(({ proof }) => proof)
}
