import { describe, expect, test } from 'vitest'
import type { Assignment } from '../../../helpers/service/answers.ts'
import { describeWhole, putBackTo } from '../../../helpers/service/assignments.ts'

const assigned: Assignment = {
  assigned_by_id: 'ada',
  assigned_to_id: 'bob',
  assigned_to_type: 'USER',
  assignment_comment: 'please',
}

describe('an assignment', () => {
  test('is described as a whole, so that differences show', () => {
    expect(describeWhole(assigned)).toBe('USER bob, assigned by ada, with the comment "please"')
    expect(describeWhole(null)).toBe('null')
    expect(describeWhole({} as Assignment)).toBe('{}')
  })

  test('without any value is put back as none, and one that lacks a member as it came', () => {
    const { assigned_to_id: _, ...part } = assigned
    expect(putBackTo(assigned)).toBe(assigned)
    expect(putBackTo(null)).toBe(null)
    expect(putBackTo({} as Assignment)).toBe(null)
    expect(putBackTo(part as Assignment)).toBe(part)
  })
})
