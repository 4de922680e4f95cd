// How two matrices differ, by kinds of change, and which of these are allowed.

import { matchesAny } from '../../engine/glob.ts'
import { isOwner, type Target } from './targets.ts'

/** The result of each run: by target and clause, the verdict and a digest of the observed value. */
export type Matrix = ReadonlyMap<string, string>

/** Replaces a verdict that differs between two runs of one commit. */
export const varies = '(varies)'

export type Change = { kind: string; target: string; clause: string; from: string; to: string }

/** Allowed changes, by globs, with the reason; a lost owner and a failed variant are never allowed. */
export type Allowed = { kind: string; target: string; clause: string; to?: string; reason: string }

export const isAllowed = ({ kind, target, clause, to }: Change, list: readonly Allowed[]) =>
  !/^(an owner|a variant is failed)/.test(kind) &&
  list.some(
    (each) =>
      each.kind === kind &&
      matchesAny(target, [each.target]) &&
      matchesAny(clause, [each.clause]) &&
      matchesAny(to, [each.to ?? '*']),
  )

/** The differences between two matrices, without pairs that differ from run to run. */
export function changesBetween(before: Matrix, now: Matrix, targets: readonly Target[]): Change[] {
  const proofs = new Map(targets.map(({ name, proof }) => [name, proof]))
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((key) => {
    const [target = '', clause = ''] = key.split('\t')
    const [from = '', to = ''] = [before.get(key), now.get(key)]
    if (from === to || from === varies || !proofs.has(target)) return []
    return [{ kind: kindOf(clause, from, to, proofs.get(target)), target, clause, from, to }]
  })
}

function kindOf(clause: string, from: string, to: string, proof: Target['proof']): string {
  const isFound = (said: string) => /^(fail|warn)/.test(said)
  const isSkip = (said: string) => said.startsWith('skip')
  if (proof?.isVariant && to.startsWith('fail')) return 'a variant is failed'
  if (proof?.isVariant && to.startsWith('warn')) return 'a variant is warned of'
  if (proof && isFound(from) && !isFound(to) && isOwner(proof, clause))
    return 'an owner no longer finds its breach'
  if (to === '') return 'gone'
  if (from === '') return 'new'
  if (isSkip(from) && isSkip(to)) return 'another cause of a skip'
  if (from.startsWith('observed') && to.startsWith('observed')) return 'another observed value'
  if (!proof || clause === '(end)') return 'other'
  if (proof.isVariant) return isSkip(to) ? 'undecided on a variant' : 'other'
  return isFound(to) ? 'found on a fault' : 'another clause on a fault'
}

const maxListed = 60

/** The changes by kind, and each one that is not allowed. */
export function describeChanges(changes: readonly Change[], allowed: readonly Allowed[]): string {
  const kinds = [...new Set(changes.map(({ kind }) => kind))].sort()
  const groups = kinds.flatMap((kind) => {
    const ofKind = changes.filter((change) => change.kind === kind)
    const wrong = ofKind.filter((change) => !isAllowed(change, allowed))
    return [
      `${kind}: ${ofKind.length}, ${wrong.length} of them not allowed`,
      ...wrong
        .slice(0, maxListed)
        .map(({ target, clause, from, to }) => `  ${target} | ${clause}: ${from} -> ${to}`),
    ]
  })
  return groups.length === 0 ? 'no change' : groups.join('\n')
}
