import { expect, test } from 'vitest'
import type { Exchange } from '../../engine/http/exchange.ts'
import { formsIn, unaskedIn } from '../../helpers/asked-forms.ts'

const exchange = (given: Partial<Exchange>): Exchange => ({
  number: 1,
  start: '2026-01-01T00:00:00.000Z',
  method: 'GET',
  path: '/v5/tasks/1',
  requestHeaders: {},
  milliseconds: 1,
  attempt: 1,
  ...given,
})

const exported = (query: string) =>
  exchange({ path: `/v5/audit-sentinel/events/export${query && `?${query}`}` })

const put = (body: unknown, ifMatch?: string) =>
  exchange({
    method: 'PUT',
    requestBody: JSON.stringify(body),
    requestHeaders: ifMatch === undefined ? {} : { 'If-Match': ifMatch },
  })

test('exports are told by file type, filters, range, zone and language', () => {
  const forms = formsIn([
    exported(''),
    exported('file_type=pdf&event_type%5B%5D=a&metadata%5Btask_id%5D=1&range_start=x&range_end=y'),
    exported('file_type=csv&timezone=Asia%2FTokyo&range_end=y'),
  ])
  expect(forms).toEqual({
    'file type': ['left out', 'csv', 'pdf'],
    filters: ['none', 'a parameter and metadata'],
    range: ['none', 'to', 'from and to'],
    zone: ['left out', 'given'],
    language: ['left out'],
  })
})

test('updates are told by assignee, comment and If-Match', () => {
  const team = { assigned_to_type: 'TEAM', assignment_comment: null }
  const forms = formsIn([put({ update: team }, 'v'), put({ unassign: {} }), put('no object')])
  expect(forms).toEqual({
    assignee: ['a team', 'nobody'],
    comment: ['left out', 'null'],
    'If-Match': ['given', 'left out'],
  })
  expect(Object.keys(unaskedIn(forms))).toEqual(['assignee: a user', 'comment: a text'])
})

test('beside an answer of 401 those that prepared it do not count', () => {
  const team = put({ update: { assigned_to_type: 'TEAM' } }, 'v')
  const forms = formsIn([team, { ...put({ unassign: {} }, 'v'), status: 401 }])
  expect(forms).toEqual({ assignee: ['nobody'], comment: ['left out'], 'If-Match': ['given'] })
})

test('reads have no forms', () => {
  expect(formsIn([exchange({})])).toEqual({})
  expect(unaskedIn({})).toEqual({})
})
