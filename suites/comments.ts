import { expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
import { again, commentPath } from '../helpers/service/again.ts'
import { premise } from '../helpers/service/answers.ts'
import {
  expectFormAccepted,
  needCommentAccepted,
  shownCommentOf,
} from '../helpers/updates/after-update.ts'
import type { Text } from '../helpers/updates/comment-kinds.ts'
import type { SequenceView } from '../helpers/updates/sequence.ts'
import { acceptedOf, type Step } from '../helpers/updates/step.ts'

const clause = clausesOf({ section: 'Update a task assignment', operation: 'assign.update' })

const asSent = {
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
    step: ['transitions', 'unassigned-to-team'],
    how: 'with a comment of null',
  },
  omitted: {
    must: 'accept an assignment without a comment, and show none',
    step: ['transitions', 'unassigned-to-user'],
    how: 'without a comment',
  },
  'unassign-with': {
    must: 'accept unassigning with a comment',
    operation: 'assign.unassign',
    step: ['transitions', 'unassign-user'],
    how: 'with a comment',
  },
  'unassign-without': {
    must: 'accept unassigning without a comment',
    operation: 'assign.unassign',
    step: ['transitions', 'unassign-team'],
    how: 'without a comment',
  },
  'unassign-null': {
    must: 'accept unassigning with a comment of null',
    operation: 'assign.unassign',
    step: ['comments', 'unassign-null'],
    how: 'with a comment of null',
  },
} as const

clause('assign.comment.plain', {
  must: 'show a plain comment as it was sent',
})(async ({ sequence, each }) => {
  const steps = [await sequence.step('transitions', 'user-to-user')]
  await each(steps, (step) => problemsOfTexts(sequence, step), {
    of: 'comment came back as it was sent',
  })
})

for (const [kind, law] of Object.entries(asSent))
  clause(`assign.comment.${kind}`, { ...law })(async ({ sequence, each }) => {
    const steps = await sequence.ofTexts(kind)
    await each(steps, (step) => problemsOfTexts(sequence, step, kind), {
      of: 'comments with such texts came back as they were sent',
    })
  })

for (const [form, { step, how, ...law }] of Object.entries(accepted))
  clause(`assign.comment.${form}`, { ...law })(async ({ sequence, note }) => {
    const [names, name] = step
    const made = await sequence.step(names, name)
    await sequence.needPermitted(made)
    expectFormAccepted(made, how)
    note('operation' in law ? `${describeAnswer(made.answer)} ${how}` : expectNoComment(made))
  })

clause('assign.comment.not-inherited', {
  should: 'not show the comment of an assignment before after a reassignment without one',
})(async ({ sequence, note }) => {
  const before = await sequence.step('transitions', 'user-to-user')
  const step = await sequence.step('transitions', 'user-to-team')
  needCommentAccepted(before)
  needCommentAccepted(step)
  const { comment } = before.sent
  const unshown = 'the assignment before does not show the comment that was sent'
  premise(shownCommentOf(before) === comment, 'clause', unshown, 'assign.comment.plain')
  const got = shown(shownCommentOf(step))
  const sentence = `${describeAnswer(step.answer)} without a comment, and shows ${got} of the assignment before`
  const [judged, control] = [acceptedOf(step), acceptedOf(before)]
  const seen = { expected: 'no comment', got, judged, control, again: again.noComment }
  expectThat(shownCommentOf(step) !== comment, sentence, seen)
  note(`the comment was ${shown(comment)} and is ${got}`)
})

/** Where texts of a kind did not come back; what else is lost of a comment belongs to the kinds of that. */
async function problemsOfTexts(sequence: SequenceView, step: Step, kind?: string) {
  await sequence.needPermitted(step)
  needCommentAccepted(step)
  const { comment } = step.sent
  const came = shownCommentOf(step)
  const isLost = ({ text }: Text) => !came?.includes(text)
  const lost = step.texts?.filter(isLost) ?? []
  const owner = lost.some((text) => text.kind === kind) ? kind : (lost[0] ?? step.texts?.[0])?.kind
  if (came === comment || owner !== kind) return []
  const [expected, got] = [JSON.stringify(comment ?? null), JSON.stringify(came ?? null)]
  const sentence = `${describeAnswer(step.answer)} with the comment ${shown(came)}, not ${shown(comment)}`
  const seen = { expected, got, judged: step.answer, again: again.value(commentPath, comment) }
  return [problem(sentence, seen)]
}

function expectNoComment(step: Step): string {
  const comment = shownCommentOf(step)
  expectThat(!comment, `the comment is ${JSON.stringify(comment)}, and none was sent`, {
    expected: 'no comment',
    got: shown(comment),
    judged: acceptedOf(step),
    again: again.noComment,
  })
  return `${describeAnswer(step.answer)}; the comment is ${shown(comment)}`
}
