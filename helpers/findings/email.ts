import type { Kind, Words } from '../../engine/findings/kind.ts'
import { describeAnswer, type Head } from '../../engine/head.ts'
import { shown } from '../../engine/shown.ts'
import { inMailbox } from './not-scripted.ts'

/** An email about an assignment did not come to its assignee. */
type EmailFinding = { kind: 'email'; recipient: Recipient } & Missing

/** Who has to be emailed; a member of a team by address alone. */
type Recipient = { type: string; id: string; addresses?: readonly string[] }

type Missing =
  /** no email came that may be about the update: within so many seconds, or by the end of the run */
  | { recognised: 'by time'; of: Head; update: string; waitS: number }
  /** no email to each of them shows the comment of the update */
  | { recognised: 'by comment'; task: string; comment: string }

declare module '../../engine/findings/finding.ts' {
  interface FindingKinds {
    email: EmailFinding
  }
}

export const emailFinding = (recipient: Recipient, missing: Missing): EmailFinding => ({
  kind: 'email',
  recipient,
  ...missing,
})

export const describeRecipient = ({ type, id, addresses }: Recipient): string =>
  addresses ? addresses.join(' or ') : `${type} ${id}`

export const email: Kind<EmailFinding> = {
  wordsOf,
  symptomsOf: () => [{ key: 'missing email', title: 'Sends no email for an accepted update' }],
  againOf: () => inMailbox,
}

function wordsOf(finding: EmailFinding): Words {
  const { recipient } = finding
  if (finding.recognised === 'by comment') {
    const { task, comment } = finding
    return {
      sentence: `task ${task} was assigned to ${recipient.type} ${recipient.id} with the comment ${shown(comment)}, but no email to the assignee shows it`,
      expected: 'an email to each of them',
      got: 'an email is missing',
    }
  }
  const { of, update, waitS } = finding
  const whom = describeRecipient(recipient)
  return {
    sentence: `${describeAnswer(of)} to the update ${update}, but no email to ${whom} came within ${waitS} s, nor by the end of the run`,
    expected: `an email to ${whom}`,
    got: 'none',
  }
}
