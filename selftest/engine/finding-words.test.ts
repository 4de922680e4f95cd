import { expect, test } from 'vitest'
import { cellFinding } from '../../engine/findings/cell.ts'
import { exactly, type Place, rowsFinding } from '../../engine/findings/file-rows.ts'
import { type Finding, wordsOf } from '../../engine/findings/finding.ts'
import { malformedFinding } from '../../engine/findings/malformed.ts'
import { revealsFinding } from '../../engine/findings/reveals.ts'
import { statusFinding } from '../../engine/findings/status.ts'
import { twinsFinding } from '../../engine/findings/twins.ts'
import { unservedFinding } from '../../engine/findings/unserved.ts'
import { brokenBy } from '../../engine/outcome.ts'
import { problem } from '../../engine/problem.ts'
import { reasonOf, worded } from '../../engine/run/in-words.ts'
import { contract } from '../../program/run/contract.ts'

const { findings: kinds } = contract
const answer = { method: 'GET', path: '/tasks/1', status: 200 }

type Row = [Finding, sentence: string, expected: string, got: string]

// biome-ignore format: one finding a line
const ofStatus: Row[] = [
  [statusFinding(answer, 404), 'GET /tasks/1 responded 200, not 404', '404', '200'],
  [statusFinding(answer, '4xx'), 'GET /tasks/1 responded 200, not 4xx', '4xx', '200'],
  [statusFinding({ ...answer, status: 500 }, '2xx'), 'GET /tasks/1 responded 500, not 2xx', '2xx', '500'],
  [statusFinding(answer, 401, { what: 'the key in another case' }), 'the key in another case: GET /tasks/1 responded 200, not 401', '401', '200'],
  [statusFinding(answer, 401, { to: 'to a request without a key' }), 'GET /tasks/1 responded 200, not 401, to a request without a key', '401', '200'],
  [statusFinding(answer, 400, { although: 'the CSV is rejected' }), 'GET /tasks/1 responded 200, not 400, although the CSV is rejected', '400', '200'],
  [statusFinding(answer, 400, { to: 'to a year', although: 'a day is accepted' }), 'GET /tasks/1 responded 200, not 400, to a year, although a day is accepted', '400', '200'],
  [statusFinding({ ...answer, status: 500 }, { not: 500 }, { to: 'twice to a year' }), 'GET /tasks/1 responded 500 twice to a year', 'any status but 500', '500'],
  [statusFinding(answer, '2xx', { to: 'to all 3 zones tried', all: [400, 404] }), 'the service responded 400, 404, not 2xx, to all 3 zones tried', '2xx', '400, 404'],
  [statusFinding(answer, 409, { more: '\nthe walk: a, b' }), 'GET /tasks/1 responded 200, not 409\nthe walk: a, b', '409', '200'],
]

const of = answer
const bytes = { is: 'NUL', byte: 6 } as const
const torn = { is: 'line feed', byte: 7 } as const
const width = { is: 'another width', record: 3, cells: 1, usual: 5 } as const
const unread = { is: 'invalid CSV', record: 3, message: 'quoted field unterminated' } as const
const letters = { is: 'no text', letters: 1, without: 30 } as const
const brokenPdf = { is: 'invalid PDF', page: 2, pages: 3, message: 'Bad XRef' } as const

// biome-ignore format: one finding a line
const ofMalformed: Row[] = [
  [malformedFinding({ is: 'empty' }, { of }), 'GET /tasks/1 responded 200: the file has 0 bytes', 'a file', '0 bytes'],
  [malformedFinding({ is: 'empty' }, { of, although: 'it has events' }), 'GET /tasks/1 responded 200: the file has 0 bytes, although it has events', 'a file', '0 bytes'],
  [malformedFinding({ is: 'not delimited text', got: 'JSON' }), 'the file is JSON, not delimited text', 'delimited text', 'JSON'],
  [malformedFinding({ is: 'not delimited text', got: 'PDF' }), 'the file is a PDF, not delimited text', 'delimited text', 'a PDF'],
  [malformedFinding({ is: 'not JSON', got: '<p>' }), '"<p>" is not JSON', 'JSON', '"<p>"'],
  [malformedFinding({ is: 'two encodings' }), 'letters of one byte are among those of UTF-8', 'one encoding', 'two encodings'],
  [malformedFinding({ is: 'two header rows', rows: 2 }), 'the CSV has 2 header rows, not one', 'one header row', '2 header rows'],
  [malformedFinding(width), 'record 3 has 1 cell, but the first row 5', '5 cells', '1 cell'],
  [malformedFinding(bytes), 'byte 6 is NUL', 'well-formed CSV', 'byte 6 is NUL'],
  [malformedFinding(torn), 'byte 7 is a line feed outside of quotes, where records end with CR LF', 'well-formed CSV', 'byte 7 is a line feed outside of quotes, where records end with CR LF'],
  [malformedFinding(unread), 'record 3 is not valid CSV: quoted field unterminated', 'well-formed CSV', 'record 3 is not valid CSV: quoted field unterminated'],
  [malformedFinding({ is: 'no beginning of a PDF', got: '{}' }), 'it does not begin with %PDF- but with "{}"', 'a PDF that opens and has a page', 'it does not begin with %PDF- but with "{}"'],
  [malformedFinding({ is: 'no beginning of a PDF', got: '' }), 'it does not begin with %PDF- but with nothing', 'a PDF that opens and has a page', 'it does not begin with %PDF- but with nothing'],
  [malformedFinding({ is: 'text before the PDF', got: 'x' }), '"x" stands before %PDF-', '%PDF-', '"x"'],
  [malformedFinding({ is: 'no end of a PDF', bytes: 9 }), 'byte 9: the file ends without %%EOF, as one that was cut off', 'a PDF that opens and has a page', 'byte 9: the file ends without %%EOF, as one that was cut off'],
  [malformedFinding({ is: 'no page' }), 'the PDF has no page', 'a PDF that opens and has a page', 'the PDF has no page'],
  [malformedFinding(brokenPdf), 'page 2 of 3 of the PDF: Bad XRef', 'a PDF that opens and has a page', 'page 2 of 3 of the PDF: Bad XRef'],
  [malformedFinding({ is: 'invalid PDF', message: 'Bad XRef' }), 'opening the PDF: Bad XRef', 'a PDF that opens and has a page', 'opening the PDF: Bad XRef'],
  [malformedFinding(letters), 'the fullest page has no more text than a PDF without events', 'more than 30 letters on a page', '1 letter'],
]

const inZone = { place: { in: 'csv', others: { timezone: 'Asia/Tokyo' } } } as const
const morning = { at: '01:05', got: '1:05' }
const afternoon = { at: '13:05', got: '01:05' }

// biome-ignore format: one finding a line
const ofCells: Row[] = [
  [cellFinding(inZone, { wrong: 'value', wanted: '10:00', got: '09:00' }), 'the CSV with timezone=Asia/Tokyo shows 09:00, not 10:00', '10:00', '09:00'],
  [cellFinding({ place: { in: 'trail' }, column: 4, what: 'the event "a"' }, { wrong: 'value', wanted: 'u1', got: 'u2' }), 'the event "a": the audit trail shows u2 in column 4, not u1', 'u1', 'u2'],
  [cellFinding({ ...inZone, column: 'Due' }, { wrong: 'value', wanted: '10:00', got: '09:00', like: 'the CSV in UTC has it', count: { of: 1, all: 3 } }), 'the CSV with timezone=Asia/Tokyo shows another value in Due in 1 of 3 rows, such as 09:00, not 10:00, as the CSV in UTC has it', '10:00', '09:00'],
  [cellFinding({ place: { in: 'csv' }, column: 'Due' }, { wrong: 'mark', mark: 'NaN', got: 'NaN d', at: { row: 3 } }), 'row 3 of the CSV shows "NaN d" in Due: NaN is not a value', 'a value', '"NaN d"'],
  [cellFinding({ place: { in: 'pdf' } }, { wrong: 'mark', mark: 'NaN', got: 'NaN', at: { page: 2 } }), 'page 2 of the PDF shows "NaN": NaN is not a value', 'a value', '"NaN"'],
  [cellFinding({ place: { in: 'pdf' } }, { wrong: 'missing', values: 'times', wanted: '10:00', count: { of: 8, all: 20 } }), 'the PDF lacks 8 of 20 times of the CSV, such as 10:00', '20 times, such as 10:00', '12 of them'],
  [cellFinding({ place: { in: 'pdf' }, column: 'Id' }, { wrong: 'missing', values: 'values', wanted: 'a', count: { of: 20, all: 20 } }), 'the PDF lacks all 20 values of the CSV in Id, such as a', '20 values, such as a', 'none of them'],
  [cellFinding({ place: { in: 'trail' }, column: 'Type' }, { wrong: 'empty', wanted: 'event_type' }), 'the audit trail has no event_type in Type', 'a value of event_type', 'no value'],
  [cellFinding({ place: { in: 'trail' }, column: 'updated_at' }, { wrong: 'clock', minutes: 60, events: 2 }), 'the audit trail has 2 events, but updated_at of the updates differs by 60 minutes', 'the time in UTC', '60 minutes more'],
  [cellFinding(inZone, { wrong: 'offset', zone: 'Asia/Tokyo', got: '09:00Z' }), 'the CSV with timezone=Asia/Tokyo shows a time as 09:00Z, not with the offset of Asia/Tokyo behind it', 'with the offset of Asia/Tokyo behind it', '09:00Z'],
  [cellFinding(inZone, { wrong: 'zone', zone: 'Asia/Tokyo', got: 'UTC' }), 'the CSV with timezone=Asia/Tokyo shows the times of day of UTC, not of Asia/Tokyo', 'the times of day of Asia/Tokyo', 'the times of day of UTC'],
  [cellFinding({ place: { in: 'csv' } }, { wrong: 'unreal', got: ['24:61', '25:00'] }), 'the CSV shows times that no calendar has: 24:61, 25:00', 'times that exist', '24:61, 25:00'],
  [cellFinding({ place: { in: 'csv' } }, { wrong: 'halves', morning, afternoon }), 'an event of 13:05 in UTC is shown at 01:05, and one of 01:05 at 1:05, with neither am nor pm', 'hours after 12, or am and pm', '01:05'],
]

const english = { name: 'the PDF', has: ['Due'] }
const german = { name: 'the CSV', has: ['Frist'], count: 4 }

// biome-ignore format: one finding a line
const ofTwins: Row[] = [
  [twinsFinding({ things: 'words', wanted: 'alike', one: english, other: german }), 'the words differ: "Due" in the PDF, but "Frist" and 3 more in the CSV', '"Frist" and 3 more', '"Due"'],
  [twinsFinding({ things: 'header rows', wanted: 'alike', one: { name: 'the PDF', has: [] }, other: { name: 'the CSV', has: ['a', 'b'] } }), 'the header rows differ: none in the PDF, but "a", "b" in the CSV', '"a", "b"', 'none'],
  [twinsFinding({ things: 'dates', wanted: 'unlike', one: { name: 'one CSV' }, other: { name: 'the other' } }), 'the dates of one CSV and of the other are the same', 'different dates', 'the same dates'],
  [twinsFinding({ things: 'versions', wanted: 'unlike', one: { name: '#3', has: ['v2'] }, other: { name: '#4' }, although: 'both were accepted' }), 'the versions of #3 and of #4 are the same: "v2", although both were accepted', 'different versions', 'the same versions: "v2"'],
]

const named = { by: 'a Location header', address: 'https://files.test/1', status: 404 }

// biome-ignore format: one finding a line
const ofUnserved: Row[] = [
  [unservedFinding({ lacks: 'file', of, named }), 'GET /tasks/1 responded 200: a Location header names https://files.test/1, which responded 404, not with a file', 'a file at that address', '404'],
  [unservedFinding({ lacks: 'response', tries: 2, last: 'the connection was closed' }), 'no response in 2 tries; the last: the connection was closed', 'a response', 'none'],
  [unservedFinding({ lacks: 'response', tries: 1, last: 'closed' }, { to: 'to an update', although: 'others got one' }), 'no response to an update in 1 try, although others got one; the last: closed', 'a response', 'none'],
]

test.each([...ofMalformed, ...ofCells, ...ofTwins, ...ofUnserved])(
  'a finding in words: %j',
  (finding, sentence, expected, got) => {
    expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
  },
)

test.each(ofStatus)('a status in words: %j', (finding, sentence, expected, got) => {
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
})

const ofType: Place = { in: 'csv', filters: { event_type: ['a', 'b'] } }
const pdf: Place = { in: 'pdf', others: { timezone: 'UTC' }, range: { start: 'S', end: 'E' } }
const parts: Place[] = [
  { in: 'csv', range: { end: 'E' } },
  { in: 'csv', range: { start: 'S' } },
]
const ofTag: Place = {
  in: 'csv',
  filters: { 'metadata%5Btag%5D': ['x'], 'metadata[task_id]': ['1'] },
}
const ten = exactly(10)

// biome-ignore format: one finding a line
const ofRows: [Finding, sentence: string, expected: string, got: string][] = [
  [rowsFinding({ wrong: 'number', place: ofType, wanted: ten, got: 12, to: 'as each value alone returns 4, 6' }), 'the CSV for event_type=a or b has 12 events, not 10, as each value alone returns 4, 6', '10 events', '12 events'],
  [rowsFinding({ wrong: 'number', place: ofTag, wanted: { least: 1, most: 3 }, readings: [ten], got: 0 }), 'the CSV for metadata[tag]=x (brackets encoded) and metadata[task_id]=1 has 0 events, not 1 to 3, or 10', '1 to 3 events, or 10 events', '0 events'],
  [rowsFinding({ wrong: 'number', place: ofType, wanted: { most: 10 }, got: 12, to: 'the number without the filter' }), 'the CSV for event_type=a or b has 12 events, not 10 at most, the number without the filter', '10 events at most', '12 events'],
  [rowsFinding({ wrong: 'number', place: parts[0] as Place, wanted: { least: 20 }, got: 1, unit: 'record', what: 'right after a rejected export' }), 'right after a rejected export: the CSV up to E has 1 record, not 20 or more', '20 records or more', '1 record'],
  [rowsFinding({ wrong: 'sum', place: parts, wanted: { most: 10 }, got: 12, parts: [5, 7], to: 'as the whole range has 10' }), 'the CSV up to E and the CSV from S on have 5 and 7 events, together 12, not 10 at most, as the whole range has 10', '10 events at most, in both together', '12 events in both together'],
  [rowsFinding({ wrong: 'missing', place: ofType, wanted: ten, got: 9, count: 3, although: 'the CSV is accepted' }), 'the CSV for event_type=a or b lacks 3 of 10 events, although the CSV is accepted', '10 of 10 events', '7 of 10 events'],
  [rowsFinding({ wrong: 'missing', place: parts, beside: { in: 'csv' }, wanted: ten, got: 9, count: 1, first: ['x'] }), 'the CSV up to E and the CSV from S on lack 1 of 10 events of the CSV, such as x', '10 of 10 events', '9 of 10 events'],
  [rowsFinding({ wrong: 'missing', place: { in: 'csv' }, wanted: { least: 8 }, got: 0, count: 8, first: ['T1', 'T2'], bound: { names: ['range_end'], at: 'E', is: 'just after' } }), 'the CSV lacks events at 8 times when range_end is just after their time, such as T1, T2', 'events at 8 times, each in the range of its time', 'no event'],
  [rowsFinding({ wrong: 'missing', place: { in: 'trail' }, wanted: { least: 1 }, got: 0, count: 1, bound: { names: ['range_start', 'range_end'], at: 'E', is: 'at' } }), 'the audit trail lacks events at 1 time when range_start and range_end are at their time', 'events at 1 time, each in the range of its time', 'no event'],
  [rowsFinding({ wrong: 'fewer', place: ofType, wanted: ten, got: 9, count: 1, what: 'the files differ in a' }), 'the files differ in a: the CSV for event_type=a or b has 1 of 10 events fewer times than expected', '10 of 10 events', '9 of 10 events'],
  [rowsFinding({ wrong: 'strange', place: pdf, wanted: ten, got: 13, count: 3 }), 'the PDF with timezone=UTC from S to E has 3 events beside the 10 that belong there', '0 events too many', '3 events too many'],
  [rowsFinding({ wrong: 'strange', place: ofType, wanted: exactly(0), got: 1, count: 1, to: 'as no event has this value' }), 'the CSV for event_type=a or b has 1 event that does not belong there, as no event has this value', '0 events too many', '1 event too many'],
  [rowsFinding({ wrong: 'strange', place: parts, beside: pdf, wanted: ten, got: 13, count: 3 }), 'the CSV up to E and the CSV from S on have 3 events that the PDF with timezone=UTC from S to E lacks', '0 events too many', '3 events too many'],
  [rowsFinding({ wrong: 'unfiltered', place: ofType, wanted: ten, got: 13, count: 3 }), 'the CSV for event_type=a or b has 3 events, of 13, that the export of the same range without the filter lacks or has less often', '0 events more than without the filter', '3 events more than without the filter'],
  [rowsFinding({ wrong: 'repeated', place: { in: 'trail' }, wanted: exactly(1), got: 2, count: 1 }), 'the audit trail shows 1 event more than once', 'each event once', '1 event more than once'],
  [rowsFinding({ wrong: 'repeated', place: pdf, wanted: ten, got: 10, count: 2 }), 'the PDF with timezone=UTC from S to E shows 2 of 10 events more than once', 'each event once', '2 events more than once'],
  [rowsFinding({ wrong: 'repeated', place: { in: 'csv' }, wanted: { most: 0 }, got: 3, count: 3, first: ['T1'], bound: { names: ['range_end'], at: 'E' }, to: 'the other with a later range_start' }), 'events at 3 times are each in two separate ranges, such as T1, one with range_end=E, the other with a later range_start', 'no event in both ranges', 'each event in both'],
  [rowsFinding({ wrong: 'outside', place: pdf, wanted: exactly(7), got: 10, count: 3 }), 'the PDF with timezone=UTC from S to E has 3 events with a time outside the range, of 10', 'times from S to E', '3 events with a time outside the range'],
  [rowsFinding({ wrong: 'others', place: ofType, wanted: ten, got: 10 }), 'the CSV for event_type=a or b has 10 events, but with other ids than expected', '10 events', 'events with other ids'],
  [rowsFinding({ wrong: 'others', place: ofType, beside: pdf, wanted: ten, got: 10, count: 1 }), 'the CSV for event_type=a or b has 9 of 10 events and 1 other event, as the PDF with timezone=UTC from S to E does', '10 events', '9 of 10 events and 1 other event'],
  [rowsFinding({ wrong: 'filled', place: pdf, beside: { in: 'pdf' }, wanted: exactly(0), got: 10, count: 10 }), 'the PDF with timezone=UTC from S to E contains as much as the PDF with 10 events', 'a file without events', 'as much as 10 events take'],
  [rowsFinding({ wrong: 'unsteady', place: { in: 'csv', range: {} }, wanted: {}, got: 10, count: 2, parts: [10, 8, 10] }), '2 of 10 different events of the CSV without a range appeared and disappeared in 3 responses to the same request', 'the same events in each response', '10 events, 8 events, 10 events'],
]

test.each(ofRows)('rows in words: %j', (finding, sentence, expected, got) => {
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
})

// biome-ignore format: one finding a line
test.each<[Finding, sentence: string, expected: string, got: string]>([
  [revealsFinding({ of: answer, resource: 'task', although: 'the id is not a UUID' }), 'GET /tasks/1 responded 200 with a task, although the id is not a UUID', 'no task', 'a task'],
  [revealsFinding({ of: answer, resource: 'assessment' }), 'GET /tasks/1 responded 200 with an assessment', 'no assessment', 'an assessment'],
  [revealsFinding({ of: { ...answer, status: 401 }, resource: 'task', members: ['name', 'c_name'] }), 'GET /tasks/1 responded 401 with values of the task in its body: name, c_name', 'nothing of the task', 'name, c_name'],
])('what is revealed in words: %j', (finding, sentence, expected, got) => {
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
})

const wrong = (wanted: number, exchange: number) =>
  problem(statusFinding(answer, wanted), { judged: exchange })

test('a reason has five sentences, each once, and the number of the others', () => {
  const problems = [401, 401, 402, 403, 404, 405, 406, 407].map((wanted, at) => wrong(wanted, at))
  expect(reasonOf(brokenBy(problems), kinds).split('\n')).toEqual([
    'GET /tasks/1 responded 200, not 401 (same result 2 times)',
    ...[402, 403, 404, 405].map((wanted) => `GET /tasks/1 responded 200, not ${wanted}`),
    '… and 2 more',
  ])
})

test('twenty breaches are kept, and the number of the others', () => {
  const problems = Array.from({ length: 23 }, (_, at) => wrong(400 + at, at))
  const broken = brokenBy(problems)
  expect([broken.breaches.length, broken.more]).toEqual([20, 3])
  expect(reasonOf(broken, kinds)).toMatch(/\n… and 18 more$/)
  expect(brokenBy(problems.slice(0, 20))).not.toHaveProperty('more')
})

test('a finding twice is one problem of the exchanges of both', () => {
  const { breaches } = brokenBy([wrong(401, 3), wrong(401, 1), wrong(401, 2)])
  expect(breaches).toEqual([{ ...wrong(401, 1), judged: [1, 2, 3], times: 3 }])
})

test('a script checks what the law says beside what its finding says', () => {
  const again = { why: 'two updates have to come first' }
  const finding = statusFinding(answer, 401)
  expect(worded(problem(finding, { judged: 1, again }), kinds).again).toEqual({
    due: 401,
    ...again,
  })
  const revealed = problem(revealsFinding({ of: answer, resource: 'task' }), { judged: 1 })
  expect(worded(revealed, kinds)).not.toHaveProperty('again')
})

test('a breach of a report has its words and its finding', () => {
  const breach = worded(wrong(401, 1), kinds)
  expect(breach).toEqual({
    sentence: 'GET /tasks/1 responded 200, not 401',
    expected: '401',
    got: '200',
    finding: { kind: 'status', wanted: 401, of: answer },
    again: { due: 401 },
    judged: [1],
    control: [],
  })
})
