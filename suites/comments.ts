import { caseOrWhy } from '../engine/clause/law.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { type Problem, problemUnless } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
import { again, commentPath } from '../helpers/service/again.ts'
import { premise } from '../helpers/service/answers.ts'
import {
  type Formed,
  needForm,
  problemsOfForm,
  shownCommentOf,
  withoutRead,
} from '../helpers/updates/after-update.ts'
import type { Text } from '../helpers/updates/comment-kinds.ts'
import type { Step, Taken } from '../helpers/updates/step.ts'

const clause = clausesOf({ section: 'Update a task assignment', needs: 'an accepted update' })

const asSent = {
  plain: { must: 'show a plain comment as it was sent' },
  'non-latin': { must: 'show a comment in Cyrillic, Greek and Chinese letters as it was sent' },
  quotes: { must: 'show a comment with quotes and markup as it was sent' },
  placeholders: {
    must: 'show a comment with percent signs and braces, as templates have them, as it was sent',
    since: '0.2',
  },
  long: { should: 'show a comment of 500 characters as it was sent' },
  newlines: { should: 'show a comment with line breaks as it was sent' },
  emoji: { should: 'show a comment with emoji as it was sent' },
  'right-to-left': { should: 'show a comment in Arabic and Hebrew letters as it was sent' },
  combining: { should: 'show a comment with combining characters as it was sent', since: '0.2' },
  values: {
    should: 'show a comment that looks like a number, a date or a word of programs as it was sent',
    since: '0.2',
  },
} as const

/** Forms of an accepted update; an assignment then shows no comment. */
const accepted = {
  null: {
    must: 'accept a comment of null, and show none',
    step: 'unassigned-to-team',
    how: 'with a comment of null',
  },
  omitted: {
    must: 'accept an assignment without a comment, and show none',
    step: 'unassigned-to-user',
    how: 'without a comment',
  },
  'unassign-with': {
    must: 'accept unassigning with a comment',
    step: 'unassign-user',
    how: 'with a comment',
  },
  'unassign-without': {
    must: 'accept unassigning without a comment',
    step: 'unassign-team',
    how: 'without a comment',
  },
  'unassign-null': {
    must: 'accept unassigning with a comment of null',
    step: 'unassign-null',
    how: 'with a comment of null',
  },
} as const

for (const [kind, sentence] of Object.entries(asSent))
  clause(`assign.comment.${kind}`, {
    ...sentence,
    operation: 'assign.update',
    law: (step: Commented) => problemsOfTexts(step, kind),
    of: ({ length }) => `comments that came back as they were sent: ${length}`,
  })(async ({ sequence }) => {
    const steps = await sequence.ofTexts(kind)
    const needStep = async (step: Step) => withoutRead(await sequence.needPermitted(step))
    return Promise.all(steps.map((step) => caseOrWhy(needStep(step))))
  })

for (const [form, { step: name, how, ...sentence }] of Object.entries(accepted))
  clause(`assign.comment.${form}`, {
    ...sentence,
    operation: form.startsWith('unassign') ? 'assign.unassign' : 'assign.update',
    law: problemsOfNoComment,
    of: ([one]) => (one ? `${describeAnswer(one.answer)} ${one.what}` : ''),
  })(async ({ sequence }) => {
    const step = await sequence.step(name === 'unassign-null' ? 'comments' : 'transitions', name)
    return [needForm(await sequence.needPermitted(step), how)]
  })

clause('assign.comment.not-inherited', {
  should: 'not show the comment of an assignment before after a reassignment without one',
  operation: 'assign.update',
  law: problemsOfInherited,
  of: ([one]) =>
    `the comment was ${shown(one?.control.sent.comment)} and is ${shown(one && shownCommentOf(one.step))}`,
})(async ({ sequence }) => {
  const before = await sequence.step('transitions', 'user-to-user')
  const step = await sequence.step('transitions', 'user-to-team')
  return [{ step: withoutRead(step), control: withoutRead(before) }]
})

type Commented = Taken & Pick<Step, 'texts'>

/** Where texts of a kind did not come back; what else is lost of a comment belongs to the kinds of that. */
function problemsOfTexts(step: Commented, kind: string): Problem[] {
  const [{ comment }, came] = [step.sent, shownCommentOf(step)]
  const lost = step.texts?.filter(({ text }: Text) => !came?.includes(text)) ?? []
  const first = lost[0] ?? step.texts?.[0] ?? { kind: 'plain' }
  const owner = lost.some((text) => text.kind === kind) ? kind : first.kind
  const [expected, got] = [JSON.stringify(comment ?? null), JSON.stringify(came ?? null)]
  const sentence = `${describeAnswer(step.answer)} with the comment ${shown(came)}, not ${shown(comment)}`
  const seen = { expected, got, judged: step.answer, again: again.value(commentPath, comment) }
  return problemUnless(came === comment || owner !== kind, sentence, seen)
}

/** It is accepted in this form, and an assignment then shows no comment. */
function problemsOfNoComment(one: Formed): Problem[] {
  const refused = problemsOfForm(one)
  if (refused.length > 0 || !one.sent.to) return refused
  const comment = shownCommentOf(one)
  return problemUnless(!comment, `the comment is ${JSON.stringify(comment)}, and none was sent`, {
    expected: 'no comment',
    got: shown(comment),
    judged: one.answer,
    again: again.noComment,
  })
}

function problemsOfInherited({ step, control }: { step: Taken; control: Taken }): Problem[] {
  const { comment } = control.sent
  const unshown = 'the assignment before does not show the comment that was sent'
  premise(shownCommentOf(control) === comment, 'clause', unshown, 'assign.comment.plain')
  const came = shownCommentOf(step)
  const got = shown(came)
  const sentence = `${describeAnswer(step.answer)} without a comment, and shows ${got} of the assignment before`
  const seen = { expected: 'no comment', got, judged: step.answer, control: control.answer }
  return problemUnless(came !== comment, sentence, { ...seen, again: again.noComment })
}
