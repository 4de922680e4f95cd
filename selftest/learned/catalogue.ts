import { randomFor } from '../../engine/random.ts'
import { autumn } from '../proofs/bent/export-window.ts'
import { events } from '../proofs/bent/few-events.ts'
import type { Bent, Variant } from '../proofs/fault.ts'
import { lateMailVariants, mailVariants, trailVariants } from '../proofs/variants/audit.ts'
import { variants as authentication } from '../proofs/variants/authentication.ts'
import { variants as exportColumns } from '../proofs/variants/export-columns.ts'
import { variants as exportCombined } from '../proofs/variants/export-combined.ts'
import { variants as exportFile } from '../proofs/variants/export-file.ts'
import { variants as exportFilters } from '../proofs/variants/export-filters.ts'
import { variants as exportKept } from '../proofs/variants/export-kept.ts'
import { variants as exportLines } from '../proofs/variants/export-lines.ts'
import { variants as exportRanges } from '../proofs/variants/export-ranges.ts'
import { variants as exportRecords } from '../proofs/variants/export-records.ts'
import { variants as otherKinds } from '../proofs/variants/other-kinds.ts'
import { variants as reads } from '../proofs/variants/reads.ts'
import { variants as updateManners } from '../proofs/variants/update-manners.ts'
import { variants as updateRefusals } from '../proofs/variants/update-refusals.ts'

const all: Variant[] = [
  ...authentication,
  ...reads,
  ...otherKinds,
  ...updateManners,
  ...updateRefusals,
  ...exportFile,
  ...exportColumns,
  ...exportCombined,
  ...exportFilters,
  ...exportLines,
  ...exportRanges,
  ...exportRecords,
  ...trailVariants,
  ...mailVariants,
  ...lateMailVariants,
]

/** Every variant once; those of few events in a window that is given. */
const onceOf = (list: Variant[]): Variant[] => [
  ...new Map(list.map((each) => [each.name, { events, pdfLimit: 300, ...each }])).values(),
]
export const catalogue = onceOf([...all, ...exportKept])
const mixable = onceOf(all)

// What a mixture could not hold beside others: people, data and waiting are not the service's choice.
const isMixable = ({ stated, held, refuses, surroundings, env, open }: Variant) =>
  open !== undefined &&
  !stated &&
  !held &&
  !refuses &&
  !surroundings &&
  Object.keys(env ?? {}).every((name) => name in autumn)

/** A service that is lawful in 5 to 15 ways at once: the same for the same seed. */
export function mixtureOf(seed: number): Bent & { name: string; parts: string[] } {
  const random = randomFor(seed, 'mixture')
  const wanted = random.number.int({ min: 5, max: 15 })
  const open: Record<string, unknown> = {}
  const parts: string[] = []
  for (const variant of random.helpers.shuffle(mixable.filter(isMixable))) {
    const rules = Object.keys(variant.open ?? {})
    if (parts.length === wanted || rules.some((rule) => rule in open)) continue
    Object.assign(open, variant.open)
    parts.push(variant.name)
  }
  const around = { events: 1_200, pdfLimit: 300, env: autumn }
  return { name: `mixture ${seed}`, parts, open, ...around }
}
