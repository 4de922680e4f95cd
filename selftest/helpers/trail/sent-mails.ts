import type { Settings } from '../../../helpers/settings/table.ts'
import { type Mail, wordsOf } from '../../../helpers/trail/mailbox.ts'
import type { NamedStep } from '../../../helpers/updates/planned-steps.ts'

const userMails = { U1: ['u1@x'], U2: ['u2@x', 'second@x'], U3: ['u3@x'] }
const teamMails = { T1: ['u1@x', 't@x'] }
/** Three users and a team; the first user is a member. */
export const settings = { userMails, teamMails } as unknown as Settings

export const steps = (...to: ([id: string, comment?: string] | null)[]): NamedStep[] =>
  to.map((sent, n) => {
    const [id = '', comment] = sent ?? []
    const assignee = sent && { id, type: id.startsWith('T') ? 'TEAM' : 'USER' }
    const start = new Date((n + 1) * 1000).toISOString()
    const step = {
      sent: { to: assignee, comment },
      answer: { status: 200 },
      evidence: [{ method: 'PUT', start }],
    }
    return { name: `step ${n}`, step: step as unknown as NamedStep['step'] }
  })

let count = 0
export const mail = (to: string, text: string, created = 9000): Mail => ({
  id: `${count++}`,
  created,
  to: to.split(' '),
  words: wordsOf(text),
})
