import { describe, expect, test } from 'vitest'
import { standsBroken } from '../../../../helpers/export/laws/comments.ts'

const part = '+"Contract",=1+1012345'
const others = ['-Contract,Test', '012345Contract']

describe('a text in a cell that is narrow', () => {
  test.each([
    ['stands whole', 'id7+"Contract",=1+1012345done', true],
    ['stands in two pieces, beside another cell', '+"ContractGIVEN",=1+1012345BACK', true],
    ['stands in three', '+"ContrGIVENact",=BACK1+1012345', true],
    ['has a short last piece', '+"Contract",=1+1GIVEN012345', true],
    ['stands so at its second place', '+"Cont-Contract+"ContractGIVEN",=1+1012345', true],
    ['lacks its first sign', '"Contract",=1+1012345+', false],
    ['lacks a sign within', '+"Contract",1+1012345', false],
    ['shows a sign otherwise', '+"Contract\',=1+1012345', false],
    ['lacks its end', '+"Contract",=1+1GIVEN', false],
    ['has its end in the row of another text', '+"Contract-Contract,Test",=1+1012345', false],
    ['has its end too far behind', `+"Contract${'x'.repeat(800)}",=1+1012345`, false],
    ['is not there', 'nothing', false],
  ])('%s', (_, text, expected) => {
    expect(standsBroken(text, part, others)).toBe(expected)
  })

  test('is found quickly, however often it begins', () => {
    const text = '+"Contract",=1+1'.repeat(2_000)
    expect(standsBroken(text, part, others)).toBe(false)
  })
})
