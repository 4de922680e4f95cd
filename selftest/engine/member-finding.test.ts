import { expect, test } from 'vitest'
import { againOf, type Finding, wordsOf } from '../../engine/findings/finding.ts'
import type { Again } from '../../engine/findings/kind.ts'
import { memberFinding } from '../../engine/findings/member.ts'
import { contract } from '../../program/run/contract.ts'

const { findings: kinds } = contract
const answer = { method: 'GET', path: '/tasks/1', status: 200 }
const put = { method: 'PUT', path: '/tasks/1/update-assignment', status: 200 }
const task = { resource: 'task', id: '1' }
const user = { assigned_to_type: 'USER', assigned_to_id: 'u' }
const team = { assigned_to_type: 'TEAM', assigned_to_id: 't' }
const path = 'assignment.assignment_comment'

// biome-ignore format: one finding a line
const ofMember: [Finding, sentence: string, expected: string, got: string, Again | undefined][] = [
  [memberFinding(task, { member: 'status', wanted: { kind: 'form', form: 'present' } }), 'task 1: status is missing', 'status', 'absent', { signs: [{ member: 'status' }] }],
  [memberFinding(task, { member: 'created_at', got: 5, wanted: { kind: 'form', form: 'a timestamp' } }), 'task 1: created_at is 5, not a timestamp', 'a timestamp', '5', { signs: [{ member: 'created_at' }] }],
  [memberFinding(answer, { member: '', got: 'x', wanted: { kind: 'form', form: 'a JSON object' } }), 'GET /tasks/1 responded 200: the body is "x", not a JSON object', 'a JSON object', '"x"', undefined],
  [memberFinding(task, { member: 'id', got: '2', wanted: { kind: 'value', value: '1', anyCase: true } }), 'task 1: id is "2", not "1"', '"1"', '"2"', { signs: [{ member: 'id', is: '1', anyCase: true }] }],
  [memberFinding(put, { member: path, got: 'a', wanted: { kind: 'value', value: 'b', isSent: true } }), 'PUT /tasks/1/update-assignment responded 200: assignment_comment is "a", not "b", as sent', '"b"', '"a"', { signs: [{ member: path, is: 'b' }] }],
  [memberFinding(put, { member: path, wanted: { kind: 'value', value: 'b' } }), 'PUT /tasks/1/update-assignment responded 200: assignment_comment is absent, not "b"', '"b"', 'absent', { signs: [{ member: path }] }],
  [memberFinding(put, { member: path, got: 'a', wanted: { kind: 'no value' }, although: 'it is the one before' }), 'PUT /tasks/1/update-assignment responded 200: assignment_comment is "a", but none was sent, although it is the one before', 'none', '"a"', { signs: [{ member: path }] }],
  [memberFinding(put, { member: 'updated_at', got: 'v1', wanted: { kind: 'new value' }, to: 'to an update' }), 'PUT /tasks/1/update-assignment responded 200 to an update: updated_at is "v1", as before', 'a new updated_at', '"v1"', { signs: [{ member: 'updated_at', unlike: 'before' }] }],
  [memberFinding({ resource: 'tasks', id: 'of TASK_IDS' }, { member: 'updated_at', got: null, wanted: { kind: 'any value' }, bodies: 3 }), 'tasks of TASK_IDS: updated_at is null in all of 3, where a value is due', 'a value', 'null', undefined],
  [memberFinding(task, { member: '', got: null, wanted: { kind: 'any value', among: ['a', 'b'] } }), 'task 1: a, b is null, where a value is due', 'a value', 'null', { signs: [{ member: 'a' }, { member: 'b' }] }],
  [memberFinding(put, { member: 'name', got: 'n', wanted: { kind: 'same value', as: 'before', value: 'm' } }), 'PUT /tasks/1/update-assignment responded 200: name is "n", and was "m" before', '"m"', '"n"', { signs: [{ member: 'name', as: 'before' }] }],
  [memberFinding(answer, { member: 'name', got: 'n', wanted: { kind: 'same value', as: 'control', value: 'm', whose: 'task 2' } }), 'GET /tasks/1 responded 200: name is "n", but "m" in task 2', '"m"', '"n"', { signs: [{ member: 'name', as: 'control' }] }],
  [memberFinding(put, { member: 'name', got: 'n', wanted: { kind: 'same value', as: 'before', value: 'm' }, in: 'read' }), 'PUT /tasks/1/update-assignment responded 200, but a read after it shows name "n", which was "m" before', '"m"', '"n"', { signs: [{ member: 'name', of: 'read', as: 'before' }] }],
  [memberFinding(put, { member: 'assignment', got: null, wanted: { kind: 'same value', as: 'answer', value: user }, in: 'read' }), 'PUT /tasks/1/update-assignment responded 200 with assignment assigned_to_type "USER", assigned_to_id "u", but a read after it shows assignment null', 'assigned_to_type "USER", assigned_to_id "u"', 'null', { signs: [{ member: 'assignment', of: 'read', as: 'answer' }] }],
  [memberFinding(put, { member: 'assignment', got: team, wanted: { kind: 'members', values: user } }), 'PUT /tasks/1/update-assignment responded 200: assignment is TEAM t, not USER u', 'USER u', 'TEAM t', { signs: [{ member: 'assignment.assigned_to_type', is: 'USER' }, { member: 'assignment.assigned_to_id', is: 'u' }] }],
  [memberFinding(put, { member: 'assignment', wanted: { kind: 'members', values: user } }), 'PUT /tasks/1/update-assignment responded 200: assignment is absent, not USER u', 'USER u', 'absent', { signs: [{ member: 'assignment.assigned_to_type' }, { member: 'assignment.assigned_to_id' }] }],
  [memberFinding(put, { member: 'assignment', got: null, wanted: { kind: 'members', values: user }, in: 'read', isAsBefore: true }), 'PUT /tasks/1/update-assignment responded 200, but the read after it still shows assignment null, as before it, not USER u', 'USER u', 'null', { signs: [{ member: 'assignment.assigned_to_type', of: 'read', is: 'USER' }, { member: 'assignment.assigned_to_id', of: 'read', is: 'u' }] }],
]

test.each(ofMember)('a member in words: %j', (finding, sentence, expected, got, again) => {
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
  expect(againOf(finding, kinds)).toEqual(again)
})

test('of a body that is as long as a file, a finding has the beginning', () => {
  const wanted = { kind: 'form' as const, form: 'a JSON object' }
  const finding = memberFinding(answer, { member: '', got: 'x'.repeat(9000), wanted })
  expect(JSON.stringify(finding).length).toBeLessThan(2200)
  expect(wordsOf(finding, kinds).got.length).toBeLessThanOrEqual(2000)
})
