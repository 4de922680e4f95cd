// What the scripts of breaches check beside what their findings say, in the terms of this service.

import type { Again } from '../../engine/findings/kind.ts'

export const commentPath = 'assignment.assignment_comment'

export const again = {
  persisted: { signs: [{ member: 'assignment', of: 'read', as: 'answer' }] },
  unchanged: { signs: [{ member: 'assignment', of: 'read', as: 'before' }] },
  keptInRead: (member: string): Again => ({ signs: [{ member, of: 'read', as: 'before' }] }),
} satisfies Record<string, Again | ((member: string) => Again)>
