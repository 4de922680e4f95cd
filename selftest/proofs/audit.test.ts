import type { Bent } from './fault.ts'
import { ledgerFaults, mailFaults, mailLedgerFaults, trailFaults } from './faults/audit.ts'
import { actorFaults } from './faults/further-updates.ts'
import { proveArea } from './prove-area.ts'
import { lateMailVariants, mailVariants, trailVariants } from './variants/audit.ts'

/** What is looked at is made in the run: few events from before do. */
const quick = <B extends Bent>(bent: B): B => ({ events: 100, ...bent })

proveArea('audit.*', [...trailFaults, ...actorFaults].map(quick), trailVariants.map(quick))
proveArea(['audit.*', 'version.*'], ledgerFaults.map(quick))
proveArea('notify.*', mailFaults.map(quick), mailVariants.map(quick))

proveArea(
  ['notify.*', 'assign.*', 'version.*'],
  mailLedgerFaults.map(quick),
  lateMailVariants.map(quick),
)
