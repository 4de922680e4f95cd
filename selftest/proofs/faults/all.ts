import { faults as assessment } from './assessment.ts'
import { faults as assignment } from './assignment.ts'
import { faults as audit } from './audit.ts'
import { faults as authentication } from './authentication.ts'
import { faults as bystanders } from './bystanders.ts'
import { collisions } from './collisions.ts'
import { faults as comments } from './comments.ts'
import { faults as concurrency } from './concurrency.ts'
import { faults as exportCombined } from './export/combined.ts'
import { faults as exportCsv } from './export/csv.ts'
import { faults as exportEdges, lossy } from './export/edges.ts'
import { faults as exportFilters } from './export/filters.ts'
import { fineBounds } from './export/fine-bounds.ts'
import { faults as exportHanded } from './export/handed.ts'
import { faults as exportKeys } from './export/keys.ts'
import { localeFaults } from './export/locales.ts'
import {
  faultsOfRecords,
  faultsOfTimes,
  faults as malformed,
  refusedCsv,
} from './export/malformed.ts'
import { faults as marks, untitled } from './export/marks.ts'
import { faults as exportMixing } from './export/mixing.ts'
import { noRange, oddBounds } from './export/odd-bounds.ts'
import { faults as exportPdf, realLimit } from './export/pdf.ts'
import { rangeFaultsOfPdf, twiceInPdf, zoneFaultsOfPdf } from './export/pdf-parts.ts'
import { faults as exportRanges } from './export/ranges.ts'
import { faults as reversedRanges } from './export/reversed-ranges.ts'
import { zoneFaults } from './export/zones.ts'
import {
  actorFaults,
  faults as furtherUpdates,
  memberFaults,
  versionFaults,
} from './further-updates.ts'
import { mailFaults, mailLedgerFaults } from './mails.ts'
import { faults as otherKinds } from './other-kinds.ts'
import { faults as readBack } from './read-back.ts'
import { faults as refusedUpdates } from './refused-updates.ts'
import { faults as task } from './task.ts'
import { faults as transitions } from './transitions.ts'
import { unanswered } from './unanswered.ts'
import { undone, unshown } from './undone.ts'
import { versionForms } from './versions.ts'

export const faults = [
  ...authentication,
  ...task,
  ...assessment,
  ...otherKinds,
  ...transitions,
  ...assignment,
  ...bystanders,
  ...comments,
  ...readBack,
  ...refusedUpdates,
  ...concurrency,
  ...versionForms,
  ...unanswered,
  ...undone,
  ...unshown,
  ...collisions,
  ...exportCsv,
  ...exportPdf,
  ...lossy,
  ...exportHanded,
  ...exportKeys,
  ...exportEdges,
  ...rangeFaultsOfPdf,
  ...zoneFaultsOfPdf,
  ...twiceInPdf,
  ...exportCombined,
  ...exportMixing,
  ...marks,
  ...untitled,
  ...realLimit,
  ...exportFilters,
  ...exportRanges,
  ...reversedRanges,
  ...oddBounds,
  ...noRange,
  ...fineBounds,
  ...malformed,
  ...refusedCsv,
  ...faultsOfTimes,
  ...faultsOfRecords,
  ...zoneFaults,
  ...localeFaults,
  ...audit,
  ...mailFaults,
  ...mailLedgerFaults,
  ...furtherUpdates,
  ...memberFaults,
  ...versionFaults,
  ...actorFaults,
]
