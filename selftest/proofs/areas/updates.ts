import type { Bent, Proofs } from '../fault.ts'
import { faults as ofAssignment } from '../faults/assignment.ts'
import { furtherFaults, ledgerFaults, trailFaults } from '../faults/audit.ts'
import { faults as bystanders } from '../faults/bystanders.ts'
import { collisions } from '../faults/collisions.ts'
import { faults as comments } from '../faults/comments.ts'
import { faults as ofConcurrency } from '../faults/concurrency.ts'
import {
  actorFaults,
  faults as further,
  memberFaults,
  versionFaults,
} from '../faults/further-updates.ts'
import { lateEffects } from '../faults/late.ts'
import { mailFaults, mailLedgerFaults } from '../faults/mails.ts'
import { faults as readBack } from '../faults/read-back.ts'
import { faults as refused } from '../faults/refused-updates.ts'
import { faults as transitions } from '../faults/transitions.ts'
import { answeredByGateway, unanswered } from '../faults/unanswered.ts'
import { undone, unshown } from '../faults/undone.ts'
import { versionForms } from '../faults/versions.ts'
import {
  hiddenTrails,
  idleTrail,
  lateMailVariants,
  mailVariants,
  trailVariants,
  uncommented,
} from '../variants/audit.ts'
import { pdfTrails } from '../variants/audit-pdf.ts'
import { variants as lent, sameVersions } from '../variants/lent.ts'
import { variants as manners } from '../variants/update-manners.ts'
import { variants as refusals } from '../variants/update-refusals.ts'

export const assignment: Proofs[] = [
  {
    by: 'assign.*',
    faults: [
      ...transitions,
      ...ofAssignment,
      ...bystanders,
      ...comments,
      ...refused,
      ...further,
      ...memberFaults,
      ...undone,
    ],
  },
  { by: 'assign.persisted.*', faults: unshown },
  // Any update may show it: most of them are those of the walk.
  { by: ['assign.*', 'version.model'], faults: readBack },
]

export const updates: Proofs[] = [
  { by: ['assign.*', 'version.*'], variants: [...refusals, ...manners] },
  {
    by: ['auth.*', 'task.*', 'assessment.*', 'assign.*', 'version.*', 'notify.*', 'audit.*'],
    variants: lent,
  },
]

export const concurrency: Proofs[] = [
  { by: ['version.wrong.other-task', 'task.read.success'], variants: [sameVersions] },
  // These make enough accepted updates to learn the settle window.
  {
    by: ['version.*', 'assign.comment.*', 'assign.required.*', 'auth.refused-changes-nothing'],
    faults: lateEffects,
  },
  {
    by: 'version.*',
    faults: [
      ...ofConcurrency,
      ...versionForms,
      ...versionFaults,
      ...unanswered,
      ...collisions,
      ...answeredByGateway.versions,
    ],
  },
]

/** The run makes what it needs: few earlier events are enough. */
const quick = <B extends Bent>(bent: B): B => ({ events: 100, ...bent })

export const audit: Proofs[] = [
  {
    by: 'audit.*',
    faults: [...trailFaults, ...actorFaults].map(quick),
    variants: [...trailVariants, ...pdfTrails].map(quick),
  },
  {
    by: ['audit.*', 'version.*'],
    faults: ledgerFaults.map(quick),
    variants: [uncommented, ...hiddenTrails].map(quick),
  },
  {
    by: ['audit.all*', 'assign.*'],
    faults: furtherFaults.map(quick),
    variants: [quick(idleTrail)],
  },
  { by: 'notify.*', faults: mailFaults.map(quick), variants: mailVariants.map(quick) },
  {
    by: ['notify.*', 'assign.*', 'version.*'],
    faults: mailLedgerFaults.map(quick),
    variants: [...lateMailVariants, uncommented].map(quick),
  },
]
