import { describe } from 'vitest'
import { expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { shown } from '../engine/shown.ts'
import { clause } from '../helpers/clause.ts'
import { again, commentPath } from '../helpers/service/again.ts'
import { premise } from '../helpers/service/answers.ts'
import {
  commentOf,
  expectFormAccepted,
  needCommentAccepted,
} from '../helpers/updates/after-update.ts'
import type { JourneyView } from '../helpers/updates/journey.ts'
import { acceptedOf, type Step } from '../helpers/updates/step.ts'

const section = 'Update a task assignment'
const operation = 'assign.update'

const asSent = {
  must: {
    'non-latin': 'show a comment in Cyrillic, Greek and Chinese letters as it was sent',
    quotes: 'show a comment with quotes and markup as it was sent',
  },
  should: {
    long: 'show a comment of 500 characters as it was sent',
    newlines: 'show a comment with line breaks as it was sent',
    emoji: 'show a comment with emoji as it was sent',
    'right-to-left': 'show a comment in Arabic and Hebrew letters as it was sent',
  },
}

describe('Comments', () => {
  clause(
    'assign.comment.plain',
    { must: 'show a plain comment as it was sent', section, operation },
    async ({ journey, note }) =>
      note(await expectAsSent(journey, await journey.step('transitions', 'user-to-user'))),
  )

  for (const [kind, must] of Object.entries(asSent.must))
    clause(`assign.comment.${kind}`, { must, section, operation }, async ({ journey, note }) =>
      note(await expectAsSent(journey, await journey.step('comments', kind))),
    )

  for (const [kind, should] of Object.entries(asSent.should))
    clause(`assign.comment.${kind}`, { should, section, operation }, async ({ journey, note }) =>
      note(await expectAsSent(journey, await journey.step('comments', kind))),
    )

  clause(
    'assign.comment.null',
    { must: 'accept a comment of null, and show none', section, operation },
    async ({ journey, note }) => {
      const step = await journey.step('transitions', 'unassigned-to-team')
      await journey.needPermitted(step)
      expectFormAccepted(step, 'with a comment of null')
      note(expectNoComment(step))
    },
  )

  clause(
    'assign.comment.omitted',
    { must: 'accept an assignment without a comment, and show none', section, operation },
    async ({ journey, note }) => {
      const step = await journey.step('transitions', 'unassigned-to-user')
      await journey.needPermitted(step)
      expectFormAccepted(step, 'without a comment')
      note(expectNoComment(step))
    },
  )

  clause(
    'assign.comment.unassign-with',
    { must: 'accept unassigning with a comment', section, operation: 'assign.unassign' },
    async ({ journey, note }) => {
      const step = await journey.step('transitions', 'unassign-user')
      await journey.needPermitted(step)
      expectFormAccepted(step, 'with a comment')
      note(`${describeAnswer(step.answer)} with a comment`)
    },
  )

  clause(
    'assign.comment.unassign-without',
    { must: 'accept unassigning without a comment', section, operation: 'assign.unassign' },
    async ({ journey, note }) => {
      const step = await journey.step('transitions', 'unassign-team')
      await journey.needPermitted(step)
      expectFormAccepted(step, 'without a comment')
      note(`${describeAnswer(step.answer)} without a comment`)
    },
  )

  clause(
    'assign.comment.unassign-null',
    { must: 'accept unassigning with a comment of null', section, operation: 'assign.unassign' },
    async ({ journey, note }) => {
      const step = await journey.step('comments', 'unassign-null')
      await journey.needPermitted(step)
      expectFormAccepted(step, 'with a comment of null')
      note(`${describeAnswer(step.answer)} with a comment of null`)
    },
  )

  clause(
    'assign.comment.not-inherited',
    {
      should: 'not show the comment of an assignment before after a reassignment without one',
      section,
      operation,
    },
    async ({ journey, note }) => {
      const before = await journey.step('transitions', 'user-to-user')
      const step = await journey.step('transitions', 'user-to-team')
      needCommentAccepted(before)
      needCommentAccepted(step)
      premise(
        commentOf(before) === before.sent.comment,
        'clause',
        'the assignment before does not show the comment that was sent',
        'assign.comment.plain',
      )
      const comment = shown(commentOf(step))
      expectThat(
        commentOf(step) !== before.sent.comment,
        `${describeAnswer(step.answer)} without a comment, and shows ${comment} of the assignment before`,
        {
          expected: 'no comment',
          got: comment,
          judged: acceptedOf(step),
          control: acceptedOf(before),
          again: again.noComment,
        },
      )
      note(`the comment was ${shown(commentOf(before))} and is ${shown(commentOf(step))}`)
    },
  )
})

async function expectAsSent(journey: JourneyView, step: Step): Promise<string> {
  await journey.needPermitted(step)
  needCommentAccepted(step)
  const { comment } = step.sent
  const [expected, got] = [JSON.stringify(comment ?? null), JSON.stringify(commentOf(step) ?? null)]
  expectThat(
    commentOf(step) === comment,
    `${describeAnswer(step.answer)} with the comment ${shown(commentOf(step))}, not ${shown(comment)}`,
    { expected, got, judged: step.answer, again: again.value(commentPath, comment) },
  )
  return `${step.sent.comment?.length} characters came back as they were sent`
}

function expectNoComment(step: Step): string {
  const comment = commentOf(step)
  expectThat(!comment, `the comment is ${JSON.stringify(comment)}, and none was sent`, {
    expected: 'no comment',
    got: shown(comment),
    judged: acceptedOf(step),
    again: again.noComment,
  })
  return `${describeAnswer(step.answer)}; the comment is ${shown(comment)}`
}
