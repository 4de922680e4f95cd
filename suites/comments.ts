import { caseOf } from '../engine/clause/case.ts'
import { caseOrWhy } from '../engine/clause/law.ts'
import { memberFinding } from '../engine/findings/member.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import { type Problem, problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
import { commentPath } from '../helpers/service/again.ts'
import { needAssignmentIn, premise } from '../helpers/service/answers.ts'
import { commentShownIn, isAssignedTo } from '../helpers/service/assignments.ts'
import type { Text } from '../helpers/updates/comment-kinds.ts'
import {
  acceptedOf,
  answeredBy,
  caseOfForm,
  caseOfStep,
  type Formed,
  needForm,
  problemsOfForm,
  type Step,
  withoutRead,
} from '../helpers/updates/step.ts'

const clause = clausesOf({ section: 'Update a task assignment' })

const asSent = {
  plain: { must: 'return a plain comment unchanged' },
  'non-latin': { must: 'return a comment with Cyrillic, Greek and Japanese letters unchanged' },
  quotes: { must: 'return a comment with quotes and markup unchanged' },
  placeholders: {
    must: 'return a comment with percent signs and braces, as used in templates, unchanged',
    since: '0.2',
  },
  long: { should: 'return a comment of 500 characters unchanged' },
  newlines: { should: 'return a comment with line breaks unchanged' },
  emoji: { should: 'return a comment with emoji unchanged' },
  'right-to-left': { should: 'return a comment with Arabic and Hebrew letters unchanged' },
  combining: { should: 'return a comment with combining characters unchanged', since: '0.2' },
  values: {
    should: 'return a comment that looks like a number, a date, a boolean or null unchanged',
    since: '0.2',
  },
} as const

const accepted = {
  null: {
    must: 'accept an update with a null comment, and return no comment',
    step: 'unassigned-to-team',
    how: 'with a comment of null',
  },
  omitted: {
    must: 'accept an update without a comment, and return no comment',
    step: 'unassigned-to-user',
    how: 'without a comment',
  },
  'unassign-with': {
    must: 'accept an unassign request with a comment',
    step: 'unassign-user',
    how: 'with a comment',
  },
  'unassign-without': {
    must: 'accept an unassign request without a comment',
    step: 'unassign-team',
    how: 'without a comment',
  },
  'unassign-null': {
    must: 'accept an unassign request with a null comment',
    step: 'unassign-null',
    how: 'with a comment of null',
  },
} as const

for (const [kind, sentence] of Object.entries(asSent))
  clause(`assign.comment.${kind}`, {
    ...sentence,
    operation: 'assign.update',
    law: (step: Step) => problemsOfTexts(step, kind),
    of: ({ length }) => `comments of this kind returned unchanged: ${length}`,
  })(['sequence'], async ({ sequence }) => {
    const steps = await sequence.ofTexts(kind)
    const needStep = async (step: Step) =>
      caseOfStep(withoutRead(await sequence.needPermitted(step)))
    return Promise.all(steps.map((step) => caseOrWhy(needStep(step))))
  })

for (const [form, { step: name, how, ...sentence }] of Object.entries(accepted))
  clause(`assign.comment.${form}`, {
    ...sentence,
    operation: form.startsWith('unassign') ? 'assign.unassign' : 'assign.update',
    law: problemsOfNoComment,
    of: ([one]) => (one ? `${describeAnswer(one.answer)} ${one.what}` : ''),
  })(['sequence'], async ({ sequence }) => {
    const step = await sequence.step(name === 'unassign-null' ? 'comments' : 'transitions', name)
    return [caseOfForm(needForm(await sequence.needPermitted(step), how))]
  })

clause('assign.comment.not-inherited', {
  should: 'drop the previous comment when a task is reassigned without a comment',
  operation: 'assign.update',
  law: problemsOfInherited,
  of: ([one]) =>
    `the comment was ${shown(one?.control.sent.comment)} and is ${shown(one && shownCommentOf(one.step))}`,
})(['sequence'], async ({ sequence }) => {
  const before = await sequence.step('transitions', 'user-to-user')
  const step = await sequence.step('transitions', 'user-to-team')
  return [
    caseOf(
      { step: withoutRead(step), control: withoutRead(before) },
      {
        judged: acceptedOf(step),
        control: [acceptedOf(before), step.control?.answer],
        before: step.before,
      },
    ),
  ]
})

/**
 * undefined, null and '' mean no comment. The answer counts only if it shows the sent assignment, and was not refused
 * for its comment: a service may limit comments, and the same update with another comment shows that nothing else was
 * wrong.
 */
function shownCommentOf(step: Step): string | null | undefined {
  const { answer, sent } = step
  const isOfComment = !isAccepted(answer) && isAccepted(acceptedOf(step))
  premise(!isOfComment, 'freedom', `${describeAnswer(answer)} for its comment`)
  const assignment = needAssignmentIn(acceptedOf(step))
  const other = 'the response contains another assignment than the update'
  const owner = sent.to ? 'assign.fields-as-given' : 'assign.unassign-user'
  premise(isAssignedTo(assignment, sent.to), 'clause', other, owner)
  return commentShownIn(assignment)
}

/** As the answer shows it, which may be no text. */
const shownMemberOf = (step: Step): unknown =>
  needAssignmentIn(acceptedOf(step))?.assignment_comment ?? null

function problemsOfTexts(step: Step, kind: string): Problem[] {
  const [{ comment }, came] = [step.sent, shownCommentOf(step)]
  const lost = step.texts?.filter(({ text }: Text) => !came?.includes(text)) ?? []
  const first = lost[0] ?? step.texts?.[0] ?? { kind: 'plain' }
  const owner = lost.some((text) => text.kind === kind) ? kind : first.kind
  if (came === comment || owner !== kind) return []
  const isRecomposed = came?.normalize() === comment?.normalize()
  const answer = acceptedOf(step)
  const finding = memberFinding(answer, {
    member: commentPath,
    got: shownMemberOf(step),
    wanted: { kind: 'value', value: comment ?? null, isSent: true },
    although: isRecomposed
      ? 'they look alike: letters and marks are composed otherwise'
      : undefined,
  })
  return [problem(finding, { judged: answer })]
}

function problemsOfNoComment(one: Formed): Problem[] {
  const refused = problemsOfForm(one)
  if (refused.length > 0 || !one.sent.to) return refused
  if (!answeredBy(one).assignment?.assignment_comment) return []
  if (!shownCommentOf(one)) return []
  const answer = acceptedOf(one)
  const wanted = { kind: 'no value' } as const
  const finding = memberFinding(answer, { member: commentPath, got: shownMemberOf(one), wanted })
  return [problem(finding, { judged: answer })]
}

function problemsOfInherited({ step, control }: { step: Step; control: Step }): Problem[] {
  const { comment } = control.sent
  const unshown = 'the previous assignment was not returned with the comment that was sent'
  premise(shownCommentOf(control) === comment, 'clause', unshown, 'assign.comment.plain')
  const came = shownCommentOf(step)
  if (came !== comment) return []
  const answer = acceptedOf(step)
  const finding = memberFinding(answer, {
    member: commentPath,
    got: came,
    wanted: { kind: 'no value' },
    to: 'to a reassignment',
    although: 'it is the comment of the previous assignment',
  })
  return [problem(finding, { judged: answer, control: control.answer })]
}
