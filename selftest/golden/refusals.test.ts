import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import { suite } from '../../program/clauses.ts'
import { root } from '../kept.ts'
import type { Fault } from '../proofs/fault.ts'
import { isOfOtherBreach, mistakenForRefusals } from '../proofs/faults/refusal-clauses.ts'
import { proofs } from '../proofs/trials.ts'
import { targetsOf } from '../prove/golden.ts'
import { matrixOf, read } from './text.ts'

const golden = read(readFileSync(join(root, 'selftest/golden.txt'), 'utf8'))
const ran = targetsOf(false).map(({ name, proof }) => {
  const ids = suite.map(({ id }) => id).filter((id) => matchesAny(id, proof.by))
  return [name, ids] as const
})
const matrix = matrixOf(golden, new Map(ran))

const isFound = (said = '') => /^(fail|warn)/.test(said)

test('no clause about keys or refusals finds the breach of another clause', () => {
  const blamed = targetsOf(false).flatMap(({ name, proof }) => {
    if (proof.isVariant) return []
    const { breaks = [] } = proof.bent as Partial<Fault>
    const fault = { name: proof.name.replace('fault ', ''), breaks }
    return suite.flatMap(({ id }) => {
      const isFoundHere = isFound(matrix.get(`${name}\t${id}`))
      return isFoundHere && isOfOtherBreach(fault, id) ? [`${name}: ${id}`] : []
    })
  })
  expect(blamed, 'mend the clause, or list the fault with its reason').toEqual([])
})

test('each exception is a fault', () => {
  const names = proofs.map(({ name }) => name)
  for (const name of Object.keys(mistakenForRefusals))
    expect(names, 'delete what is no longer a fault').toContain(`fault ${name}`)
})
