import { expect } from '../engine/clause/matchers.ts'
import type { Why } from '../engine/outcome.ts'
import { problemUnless } from '../engine/problem.ts'
import { clausesOf } from '../helpers/clause.ts'
import { needAccepted, premise } from '../helpers/service/answers.ts'
import type { Transition } from '../helpers/service/update-request.ts'
import {
  type Arrivals,
  describeLate,
  named,
  needClear,
  needRecognised,
  needTied,
  problemsOfUnmailed,
} from '../helpers/trail/arrivals.ts'
import { describeOthers, fetchMailing } from '../helpers/trail/mailed.ts'
import { addressesOf, goesTo, isOwn, latestIn, type Recipient } from '../helpers/trail/mails.ts'
import { describeTraces, mailsOfUpdates, problemsOfTraces } from '../helpers/trail/refusals.ts'
import { acceptedOf } from '../helpers/updates/step.ts'

const clause = clausesOf({ operation: 'assign.update' })

const reading = 'by the end of the run; any mail that may be of the assignment counts'

const kinds: Record<string, { must: string; section: string; steps: Transition[] }> = {
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
    steps: ['user-to-user', 'user-to-team', 'team-to-team', 'team-to-user'],
  },
}

for (const [id, { must, section, steps }] of Object.entries(kinds))
  clause(id, { must, section, reading })(async ({ arrivals, sequence, settings, each }) => {
    const { taken, recipients } = arrivals
    const accepted = taken.filter(({ name }) => isOneOf(steps, name))
    for (const { name } of accepted) await sequence.step('transitions', name)
    if (accepted.length === 0)
      needAccepted(acceptedOf(await sequence.step('transitions', steps[0] as Transition)))
    const concerned = recipients.filter(({ name }) => isOneOf(steps, name))
    const problemsOf = (one: Recipient) => problemsOfUnmailed(arrivals, one, settings)
    if (concerned.flatMap(problemsOf).length === 0) needClear(arrivals, concerned, settings)
    needRecognised(arrivals)
    const none: Why = ['clause', 'nobody was assigned', `assign.${steps[0]}`]
    const of = `to be mailed, and each was${describeLate(arrivals, concerned)}`
    await each(concerned, problemsOf, { none, of })
    needTied(arrivals, concerned)
  })

clause('notify.comment', {
  should: 'include the comment in the email about an assignment',
  section: 'Update a task assignment',
})(async ({ arrivals, sequence, settings, each }) => {
  const { recipients, mailed, mails, isEarly } = arrivals
  const commented = recipients.filter(({ comment }) => comment !== undefined)
  const uncommented = 'no assignment was accepted with a comment'
  premise(commented.length > 0, 'clause', uncommented, 'assign.comment.plain')
  needRecognised(arrivals)
  const known = commented.filter((one) => mailed.has(one))
  for (const name of new Set(known.map((one) => one.name))) await sequence.step('transitions', name)
  const isShownTo = (one: Recipient) => mails.some((mail) => isOwn(one, mail))
  if (isEarly && known.some(isShownTo))
    needClear({ unclear: known.filter((one) => !isShownTo(one)) }, known, settings)
  const unmailed = 'nobody was mailed of an assignment with a comment'
  const none: Why = ['clause', unmailed, 'notify.reassigned']
  await each(known, (one) => problemsOfComment(one, mails), {
    none,
    of: 'mails with their comments',
  })
})

function problemsOfComment(one: Recipient, mails: Arrivals['mails']) {
  const sentence = `no mail to ${named(one)} shows the comment of ${one.name}`
  return problemUnless(
    mails.some((mail) => isOwn(one, mail)),
    sentence,
    {
      expected: one.comment ?? '',
      got: 'no mail that shows it',
      judged: acceptedOf(one.step),
      again: { why: 'a mailbox has to be read' },
    },
  )
}

clause('notify.all', {
  should: 'email the assignees of every assignment of the run',
  section: 'Events',
  reading: 'where mails show comments: those with a comment of their own, to a new assignee',
})(async ({ arrivals, sequence, ledger, session, settings, each }) => {
  // Evidence of the ledger: most of it comes from the sequence.
  await sequence.accepted('transitions')
  const how = { settings, stop: session.stop }
  const { due, problemsOf, isShown } = await fetchMailing(ledger, arrivals, how)
  const unshown = 'no mail shows a comment of this run'
  premise(due.length === 0 || isShown, 'clause', unshown, 'notify.comment')
  const none: Why = [
    'data',
    'no answer to an update shows a new assignee of USER_IDS or TEAM_IDS beside a comment of its own',
  ]
  const of = 'assignments with a comment of their own, each with its mails'
  await each(due, problemsOf, { none, of })
})

clause('notify.comment.as-sent', {
  should: 'include the text of a comment unchanged in the email about an assignment',
  section: 'Update a task assignment',
  reading: 'where a mail shows how a comment ends; a long one may be cut',
  since: '0.2',
})(async ({ arrivals, sequence, ledger, session, settings, each }) => {
  await sequence.accepted('comments')
  const how = { settings, stop: session.stop }
  const { marked, problemsOfTexts } = await fetchMailing(ledger, arrivals, how)
  const none: Why = [
    'freedom',
    'no mail shows how a comment ends that is more than plain words; what a mail says is not shown',
  ]
  await each(marked, problemsOfTexts, { none, of: 'comments that are more than plain words' })
})

clause('notify.unassigned', {
  observe: 'whether anybody is emailed when a task is unassigned',
  section: 'States and transitions',
  operation: 'assign.unassign',
})(async ({ arrivals, sequence, settings }) => {
  const { taken, clues, mails, mailed } = arrivals
  const step = await sequence.step('transitions', 'unassign-user')
  const at = taken.findIndex(({ name }) => name === 'unassign-user')
  const uncommented = 'no task was unassigned with a comment'
  premise(clues.comments.has(at), 'clause', uncommented, 'assign.comment.unassign-with')
  needComments(arrivals)
  // Mails of later updates may show it too.
  const later = new Set(mailed.values())
  const told = mails.filter((mail) => latestIn(mail, clues) === at && !later.has(mail))
  if (told.length === 0) return 'nobody'
  const before = step.before.assignment
  const former = before && { id: before.assigned_to_id, type: before.assigned_to_type }
  const addresses = former ? addressesOf(former, settings) : []
  return told.every((mail) => goesTo(mail, addresses)) ? 'who was assigned' : 'somebody'
})

clause('notify.others', {
  observe: 'who else is emailed about an assignment, and whether anybody is emailed twice',
  section: 'Events',
})(async ({ arrivals, ledger, settings }) =>
  describeOthers(ledger, await arrivals.later(), settings),
)

clause('notify.refused', {
  should: 'send no email about a rejected update that looks like an email about an accepted update',
  section: 'Errors',
  reading: 'where mails show comments',
  since: '0.2',
})(async ({ session, shared, settings, people, arrivals, over, note }) => {
  needComments(arrivals)
  const traces = await mailsOfUpdates({ session, shared, settings, people, arrivals, over })
  expect(problemsOfTraces(traces, 'mail')).toBeNone()
  note(describeTraces(traces))
})

const isOneOf = (steps: readonly string[], name: string) => steps.includes(name)

/** Goes on only if mails show comments, which identify the mails of one update. */
function needComments({ mails, clues }: Arrivals): void {
  const isShown = mails.some((mail) => latestIn(mail, clues) !== undefined)
  const unshown = 'no mail shows a comment, so the mails of one update cannot be identified'
  premise(isShown, 'clause', unshown, 'notify.comment')
}
