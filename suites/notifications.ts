import { caseOf } from '../engine/clause/case.ts'
import type { Some } from '../engine/clause/law.ts'
import { clausesOf } from '../helpers/clause.ts'
import { type Transition, transitionNames, transitions } from '../helpers/contract/transitions.ts'
import { needNoOtherWriter } from '../helpers/loans/foreign-change.ts'
import { needAccepted, premise } from '../helpers/service/answers.ts'
import type { Settings } from '../helpers/settings/table.ts'
import type { Mail } from '../helpers/trail/mailbox.ts'
import { askMailed, askTexts, lookAtOthers, mailedTo } from '../helpers/trail/mailed.ts'
import {
  type Arrivals,
  addressesOf,
  assigneeIn,
  awaitedIn,
  commentedIn,
  commentTaken,
  describeMailed,
  goesTo,
  latestIn,
  whyUnclear,
  whyUntied,
} from '../helpers/trail/mails.ts'
import { describeTraces, mailsOfUpdates, problemsOfTraces } from '../helpers/trail/refusals.ts'
import { caseOfTrace, problemsOfTrace } from '../helpers/trail/traces.ts'
import { acceptedOf, type Step } from '../helpers/updates/step.ts'

const clause = clausesOf({ operation: 'assign.update' })

const reading = 'by the end of the run; any email that may be of the assignment counts'

const kinds: Record<string, { must: string; section: string; steps: readonly Transition[] }> = {
  'notify.user': {
    must: 'email the user to whom a task is assigned',
    section: 'Events',
    steps: ['unassigned-to-user'],
  },
  'notify.team-members': {
    must: 'email every member of the team to which a task is assigned',
    section: 'Events',
    steps: ['unassigned-to-team'],
  },
  'notify.reassigned': {
    must: 'email the user or all team members to whom a task is reassigned',
    section: 'States and transitions',
    steps: transitionNames.filter((name) => transitions[name].change === 'reassign'),
  },
}

for (const [id, { must, section, steps }] of Object.entries(kinds))
  clause(id, {
    must,
    section,
    reading,
    law: problemsOfTrace,
    of: describeMailed,
    none: ['clause', 'nobody was assigned', `assign.${steps[0]}`],
    lacks: whyUntied,
  })(['sequence', 'arrivals'], async ({ sequence, arrivals }) => {
    const taken = steps.filter((step) => arrivals.clues.taken.some(({ name }) => name === step))
    // If none was accepted, the first says why.
    const asked = taken.length > 0 ? taken : steps.slice(0, 1)
    const made = await Promise.all(asked.map((name) => sequence.step('transitions', name)))
    made.map(acceptedOf).forEach(needAccepted)
    return awaitedIn(arrivals, steps).map(caseOfTrace)
  })

clause('notify.comment', {
  should: 'include the comment in the email about an assignment',
  section: 'Update a task assignment',
  law: problemsOfTrace,
  of: 'emails with their comments',
  none: ['clause', 'nobody was emailed about an assignment with a comment', 'notify.reassigned'],
  lacks: whyUnclear,
})(['sequence', 'arrivals'], async ({ sequence, arrivals }) => {
  const isCommented = arrivals.recipients.some(({ comment }) => comment !== undefined)
  const uncommented = 'no assignment was accepted with a comment'
  premise(isCommented, 'clause', uncommented, 'assign.comment.plain')
  const known = commentedIn(arrivals)
  await Promise.all(known.map(({ name }) => sequence.step('transitions', name)))
  return known.map(caseOfTrace)
})

clause('notify.all', {
  should: 'email the assignees of every assignment of the run',
  section: 'Events',
  reading: 'where emails show comments: those with a unique comment, to a new assignee',
  law: problemsOfTrace,
  of: 'assignments with a unique comment, each with its emails',
  none: [
    'data',
    'no response to an update shows a new assignee of USER_IDS or TEAM_IDS beside a unique comment',
  ],
})(
  ['session', 'settings', 'sequence', 'ledger', 'arrivals'],
  async ({ session, settings, sequence, ledger, arrivals }) => {
    // Most updates come from the sequence.
    await sequence.accepted('transitions')
    const { stop, waits } = session
    const mailed = await askMailed(ledger, arrivals, { settings, stop, waiting: waits.emails })
    return mailed.map(caseOfTrace)
  },
)

clause('notify.comment.as-sent', {
  should: 'include the text of a comment unchanged in the email about an assignment',
  section: 'Update a task assignment',
  reading: 'where an email shows how a comment ends; a long one may be cut',
  since: '0.2',
  law: problemsOfTrace,
  of: 'comments that are more than plain words',
  none: [
    'freedom',
    'no email shows how a comment ends that is more than plain words; the contract does not specify the text of an email',
  ],
})(
  ['session', 'settings', 'sequence', 'ledger', 'arrivals'],
  async ({ session, settings, sequence, ledger, arrivals }) => {
    await sequence.accepted('comments')
    const { stop, waits } = session
    const texts = await askTexts(ledger, arrivals, { settings, stop, waiting: waits.emails })
    return texts.map(caseOfTrace)
  },
)

clause('notify.unassigned', {
  observe: 'whether anybody is emailed when a task is unassigned',
  section: 'States and transitions',
  operation: 'assign.unassign',
  look: whomTold,
})(['settings', 'sequence', 'arrivals'], async ({ settings, sequence, arrivals }) => {
  const step = await sequence.step('transitions', 'unassign-user')
  const uncommented = 'no task was unassigned with a comment'
  const isCommented = arrivals.clues.taken.some((one) => one.step === step && commentTaken(step))
  premise(isCommented, 'clause', uncommented, 'assign.comment.unassign-with')
  needComments(arrivals)
  const told = toldOf(step, arrivals, settings)
  return [caseOf(told, { judged: acceptedOf(step), before: step.before })]
})

type Told = { step: Step; told: Mail[]; addresses: string[] }

/** The mails whose last comment is that of an unassignment, and their addresses. */
function toldOf(step: Step, { clues, mails, recipients }: Arrivals, settings: Settings): Told {
  const at = clues.taken.findIndex((one) => one.step === step)
  // Mails of later updates may show it too.
  const isLater = (mail: Mail) => recipients.some((one) => one.mail === mail)
  const told = mails.filter((mail) => latestIn(mail, clues) === at && !isLater(mail))
  const { assignment } = step.before
  return { step, told, addresses: assignment ? addressesOf(assigneeIn(assignment), settings) : [] }
}

function whomTold([{ told, addresses }]: Some<Told>) {
  if (told.length === 0) return 'nobody'
  return told.every((mail) => goesTo(mail, addresses)) ? 'who was assigned' : 'somebody'
}

clause('notify.others', {
  observe: 'who else is emailed about an assignment, and whether anybody is emailed twice',
  section: 'Events',
  look: lookAtOthers,
})(
  ['session', 'settings', 'ledger', 'arrivals'],
  async ({ session, settings, ledger, arrivals }) => {
    const mails = await arrivals.later()
    needNoOtherWriter(session.history)
    return mailedTo(ledger, mails, settings)
  },
)

clause('notify.refused', {
  should: 'send no email about a rejected update that looks like an email about an accepted update',
  section: 'Errors',
  reading: 'where emails show comments',
  since: '0.2',
  law: problemsOfTraces('email'),
  of: (traces) => describeTraces('email', traces),
})(
  ['session', 'settings', 'shared', 'arrivals', 'over', 'people'],
  async ({ session, settings, shared, arrivals, over, people }) => {
    needComments(arrivals)
    return mailsOfUpdates({ session, shared, settings, people, arrivals, over })
  },
)

/** Only if mails show comments: these identify the mails of one update. */
function needComments({ mails, clues }: Arrivals): void {
  const isShown = mails.some((mail) => latestIn(mail, clues) !== undefined)
  const unshown = 'no email shows a comment, so the emails of one update cannot be identified'
  premise(isShown, 'clause', unshown, 'notify.comment')
}
