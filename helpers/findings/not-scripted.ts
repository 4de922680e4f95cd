import type { Again } from '../../engine/findings/kind.ts'

// Why no script shows a breach again, where that is the same for several kinds.

export const lateEvents: Again = {
  why: 'updates have to be made first, and their events come some time later',
}

export const inMailbox: Again = { why: 'it shows in a mailbox, which a script cannot read' }

export const inOneMoment: Again = {
  why: 'several updates have to arrive at one moment, which a script cannot bring about',
}
