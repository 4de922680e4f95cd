import { expect, test } from 'vitest'
import { againOf, type Finding, wordsOf } from '../../engine/findings/finding.ts'
import type { Again } from '../../engine/findings/kind.ts'
import { effectFinding } from '../../helpers/findings/effect.ts'
import { emailFinding } from '../../helpers/findings/email.ts'
import { kinds } from '../../helpers/findings/kinds.ts'
import { inMailbox, inOneMoment, lateEvents } from '../../helpers/findings/not-scripted.ts'
import { changeOf, textFinding } from '../../helpers/findings/text.ts'
import { undoneFinding } from '../../helpers/findings/undone.ts'
import { winnersFinding } from '../../helpers/findings/winners.ts'

// biome-ignore format: one finding a line
test.each<[Finding, sentence: string, expected: string, got: string]>([
  [winnersFinding({ sent: 6, accepted: 2 }), '2 of 6 simultaneous updates with one If-Match were accepted, not one', 'one accepted, 409 to the others', '2 accepted'],
  [winnersFinding({ sent: 3, accepted: 3, ifMatch: 'v1' }), '3 updates with the same If-Match, v1, were all accepted', '409 to all but one', '2xx to 3'],
  [winnersFinding({ sent: 6, accepted: 0, rounds: 3 }), '6 simultaneous updates with the current version were rejected with 409 in each of 3 rounds, but one of each round was accepted when sent again alone', 'one accepted, 409 to the others', 'none accepted'],
])('winners in words: %j', (finding, sentence, expected, got) => {
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
})

const update = { method: 'PUT', path: '/tasks/1/update-assignment', status: 400 }
const read = { method: 'GET', path: '/tasks/1', status: 200 }
const rejected = 'PUT /tasks/1/update-assignment responded 400'
const to = 'to an update without an id'
const unlike = { effect: 'unlike before', read: 'GET /tasks/1 responded 404' } as const
const before = { updated_at: 'v1', assignment: null }
const after = { updated_at: 'v2', assignment: null }

// biome-ignore format: one finding a line
test.each<[Finding, sentence: string, expected: string, got: string]>([
  [effectFinding(update, { effect: 'changed', member: 'assignment', before: null, after: {} }, { to }), `${rejected} ${to}, but the assignment changed`, 'the assignment unchanged', 'it changed'],
  [effectFinding({ ...update, status: 200 }, { effect: 'changed', member: 'assignment', before: null, after: {} }, { to }), `PUT /tasks/1/update-assignment responded 200 ${to}, and the assignment changed`, 'the assignment unchanged', 'it changed'],
  [effectFinding(update, { effect: 'changed', member: 'assignment.assignment_comment', before: 'a', after: 'b' }), `${rejected}, but the task then has its comment`, 'a', 'b'],
  [effectFinding(update, { effect: 'changed', member: 'assignment.assignment_comment', before: null, after: 'b' }), `${rejected}, but the task then has its comment`, 'no comment', 'b'],
  [effectFinding(update, { effect: 'changed later', comment: 'b', shownBy: read }, { to }), `${rejected} ${to}, but the assignment changed later`, 'no task with its comment', 'GET /tasks/1 responded 200 with the comment "b"'],
  [effectFinding(update, unlike, { to, more: '\nthe walk: a' }), `${rejected} ${to}, but the read after it is not as before: GET /tasks/1 responded 404\nthe walk: a`, 'a read as before', 'GET /tasks/1 responded 404'],
  [effectFinding(read, { effect: 'changed another task', task: 't2', before, after }), 'task t2 changed when another task was updated', '{"updated_at":"v1","assignment":null}', '{"updated_at":"v2","assignment":null}'],
  [effectFinding(update, { effect: 'left a trace', trace: 'event', text: 'a, b' }), `${rejected}, but the event "a, b" is like the events of accepted updates`, 'no such event, or an event that says that the update was rejected', '"a, b"'],
])('an effect in words: %j', (finding, sentence, expected, got) => {
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
})

// biome-ignore format: one finding a line
test.each<[Finding, sentence: string, expected: string, got: string]>([
  [emailFinding({ type: 'USER', id: 'u1' }, { recognised: 'by time', of: update, update: 'user-to-user', waitS: 30 }), `${rejected} to the update user-to-user, but no email to USER u1 came within 30 s, nor by the end of the run`, 'an email to USER u1', 'none'],
  [emailFinding({ type: 'TEAM', id: 't', addresses: ['a@x', 'b@x'] }, { recognised: 'by time', of: update, update: 'user-to-team', waitS: 30 }), `${rejected} to the update user-to-team, but no email to a@x or b@x came within 30 s, nor by the end of the run`, 'an email to a@x or b@x', 'none'],
  [emailFinding({ type: 'USER', id: 'u1' }, { recognised: 'by comment', task: 't', comment: 'b' }), 'task t was assigned to USER u1 with the comment "b", but no email to the assignee shows it', 'an email to each of them', 'an email is missing'],
])('an email in words: %j', (finding, sentence, expected, got) => {
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
})

const accepted = { ...update, status: 200 }
const left = 'PUT /tasks/1/update-assignment responded 200'
const atEnd = 'but at the end of the run a read returned'

// biome-ignore format: one finding a line
test.each<[Finding, sentence: string, expected: string, got: string]>([
  [undoneFinding({ shows: 'version', of: accepted, wanted: 'v3', got: 'v1' }), `${left} with updated_at v3, ${atEnd} the replaced updated_at v1 again`, 'updated_at v3 or a new one', 'updated_at v1'],
  [undoneFinding({ shows: 'comment', of: accepted, wanted: 'b', got: 'a' }), `${left} with the comment "b", ${atEnd} the earlier comment "a" again`, 'the comment "b"', 'the comment "a"'],
  [undoneFinding({ shows: 'comment', of: accepted, wanted: null, got: 'a' }), `${left} with no comment, ${atEnd} the earlier comment "a" again`, 'no comment', 'the comment "a"'],
  [undoneFinding({ shows: 'update', replaced: 5, by: 6, wanted: 'b', got: 'a' }), 'the task shows the assignment of #5, which #6 had replaced', 'the comment "b"', 'the comment "a"'],
])('an update undone in words: %j', (finding, sentence, expected, got) => {
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
})

const long = 'x'.repeat(201)

// biome-ignore format: one finding a line
test.each<[Finding, sentence: string, got: string]>([
  [textFinding({ in: 'trail', of: 'entity', task: 't', waitS: 30 }, 'a'), 'no event of the entity of task t shows the comment "a" whole within 30 s', 'no event that shows it'],
  [textFinding({ in: 'trail', of: 'task or entity', task: 't' }, 'a', { although: 'events show other comments' }), 'no event of task t or of its entity shows the comment "a" whole, although events show other comments', 'no event that shows it'],
  [textFinding({ in: 'csv' }, 'a', { got: 'b' }), '"a" was sent, but "b" is shown', 'b'],
  [textFinding({ in: 'csv', language: 'de' }, long, { got: 'x', length: 250 }), `"${'x'.repeat(76)}… (201 characters) was sent, but "x" (250 characters) is shown in de`, 'x'],
  [textFinding({ in: 'pdf' }, 'a'), 'the PDF shows other comments of this task, but not "a"', 'a PDF without this text'],
  [textFinding({ in: 'pdf', isInCsv: true }, 'a', { got: 'b' }), 'the PDF shows other comments of this task, but not "a", which the CSV shows', 'b'],
  [textFinding({ in: 'pdf', isLatin: true }, 'a'), 'the PDF shows no word beyond Latin letters: core fonts have only Latin letters, so embed another font; "a" was sent', 'a PDF without this text'],
  [textFinding({ in: 'email', to: 'a@x', update: 'user-to-user' }, 'a'), 'no email to a@x shows the comment of the update user-to-user', 'no email that shows it'],
  [textFinding({ in: 'email', to: 'USER u1' }, 'a', { got: 'b' }), 'emails to USER u1 show "b" of the comment, but none shows "a"', 'an email with other texts'],
])('a text in words: %j', (finding, sentence, got) => {
  const { text } = finding as { text: string }
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected: text, got })
})

test.each([
  ['a line\nanother', 'a line', 'cut'],
  ['Grüße', 'GrÃ¼Ã\x9fe', 'misread'],
  ['Gr\u00fc\u00dfe', 'Gru\u0308\u00dfe', 'recomposed'],
  ['"a"', '&quot;a&quot;', 'other'],
])('how %j became %j: %s', (sent, got, change) => {
  expect(changeOf(sent, got)).toBe(change)
})

// biome-ignore format: one finding a line
test.each<[Finding, Again | undefined]>([
  [effectFinding(update, { effect: 'changed', member: 'assignment', before: null, after: {} }), { signs: [{ member: 'assignment', of: 'read', as: 'before' }] }],
  [effectFinding(update, { effect: 'changed', member: 'assignment.assignment_comment', before: null, after: 'b' }), { signs: [{ member: 'assignment', of: 'read' }] }],
  [effectFinding(update, { effect: 'left a trace', trace: 'email', text: 'a' }), { why: 'the email comes some time after its update' }],
  [effectFinding(update, unlike), undefined],
  [emailFinding({ type: 'USER', id: 'u1' }, { recognised: 'by comment', task: 't', comment: 'b' }), inMailbox],
  [textFinding({ in: 'email', to: 'USER u1' }, 'a'), inMailbox],
  [undoneFinding({ shows: 'version', of: accepted, wanted: 'v3', got: 'v1' }), { why: 'it shows only some time after the update' }],
  [undoneFinding({ shows: 'update', replaced: 5, by: 6, wanted: 'b', got: 'a' }), inOneMoment],
  [textFinding({ in: 'trail', of: 'entity', task: 't' }, 'a'), lateEvents],
  [textFinding({ in: 'pdf', isInCsv: true }, 'a'), undefined],
])('how a script shows again: %j', (finding, again) => {
  expect(againOf(finding, kinds)).toEqual(again)
})
