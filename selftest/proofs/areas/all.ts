import type { Fault, Proofs } from '../fault.ts'
import { exportFile, exportLines, exportRecords } from './files.ts'
import { exportFilters, exportRanges } from './filters.ts'
import { assessment, authentication, onTheWire, otherKinds, task } from './reads.ts'
import { assignment, audit, concurrency, updates } from './updates.ts'

/** Every fault and variant with the clauses that judge it. */
export const areas: Proofs[] = [
  ...authentication,
  ...task,
  ...assessment,
  ...otherKinds,
  ...onTheWire,
  ...assignment,
  ...updates,
  ...concurrency,
  ...audit,
  ...exportFile,
  ...exportLines,
  ...exportRecords,
  ...exportFilters,
  ...exportRanges,
]

export const faults: Fault[] = areas.flatMap(({ faults = [] }) => faults)
