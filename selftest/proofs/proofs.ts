import { areas } from './areas/all.ts'
import type { Bent } from './fault.ts'
import { hidden } from './faults/hidden/hidden.ts'
import { variants as clocks, judges, late, lateJudges, usual } from './variants/clocks.ts'

export type Proof = {
  name: string
  /** ids or globs; none: all */
  by: string[]
  bent: Bent
  isVariant: boolean
}

export const proofs: Proof[] = [
  ...areas.flatMap(({ by, faults = [], variants = [] }) => [
    ...faults.map((bent) => proofOf(`fault ${bent.name}`, [by].flat(), bent)),
    ...variants.map((bent) => proofOf(`variant ${bent.name}`, [by].flat(), bent)),
  ]),
  ...clocks.map((bent) => proofOf(`variant ${bent.name}`, judges, { ...usual, ...bent })),
  ...late.map((bent) => proofOf(`variant ${bent.name}`, lateJudges, { ...usual, ...bent })),
  ...hidden.map((bent) => proofOf(`fault ${bent.name}`, [], { events: 200, ...bent })),
]

function proofOf(name: string, by: string[], bent: Bent): Proof {
  return { name, by, bent, isVariant: name.startsWith('variant ') }
}
