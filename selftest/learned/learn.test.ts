import { expect, test } from 'vitest'
import { readingsOf } from '../../engine/files/dates.ts'
import type { Report } from '../../engine/run/report.ts'
import { formOf } from '../../helpers/export/laws/file-facts.ts'
import { describeLearned, lessonOf, readLessons } from '../../program/input/lesson.ts'
import { serve } from '../../program/serve.ts'
import { type Lesson, learn } from '../../reference/learn/learn.ts'
import { notImitated, table } from '../../reference/learn/table.ts'
import { open } from '../../reference/rules/open.ts'
import type { DateShown } from '../../reference/rules/open-export.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { differencesIn } from '../../reporting/comparison/compare.ts'
import { allClauses } from '../all-clauses.ts'
import { isLong } from '../long.ts'
import type { Bent, Variant } from '../proofs/fault.ts'
import { runClauses } from '../proofs/prove.ts'
import { mailVariants } from '../proofs/variants/audit.ts'
import { dates } from '../proofs/variants/export-dates.ts'
import { variants as files } from '../proofs/variants/export-file.ts'
import { variants as filters } from '../proofs/variants/export-filters.ts'
import { variants as reads } from '../proofs/variants/reads.ts'
import { manners, refusals } from '../proofs/variants/updates.ts'
import { clause, reportWith, observing as seen } from '../reporting/sample-reports.ts'
import { serveIn } from '../served.ts'
import { fileWith, openWorkerFolder } from '../test-end.ts'

const world = makeWorld(1, { events: 20 })
const [task] = world.tasks
/** The observations that set a rule of the mock. */
const ids = [...new Set(table.flatMap(({ of }) => Object.keys(of)))]

function mockOf(observed: Lesson['observed'], unseen: Lesson['unseen'] = {}) {
  const learned = learn({ observed, unseen, contradictory: [] }, world)
  const service = createService({ world, open: { ...open, ...learned.open } })
  const ask = (path: string, init: RequestInit = {}) =>
    service.fetch(
      new Request(`http://127.0.0.1/v5${path}`, { headers: { apikey: world.apiKey }, ...init }),
    )
  return { learned, ask }
}

test('a learned mock says of each observation whether it is imitated, missing or not imitated', () => {
  const { learned } = mockOf(
    {
      'assign.read-lag': 'often',
      'assign.locked-at-rule': ['stays', 'changes'],
      'export.event-types': ['task'],
      'assign.comment-limit': { '256': 'kept 256', '1025': 422, '5001': 413 },
    },
    { 'audit.delay': 'skip: set AUDIT_WAIT_S' },
  )
  expect(learned.learned).toEqual(['assign.comment-limit'])
  expect(Object.fromEntries(learned.unclear)).toEqual({
    'assign.read-lag': 'holds "often", which this service cannot imitate',
    'assign.locked-at-rule': 'saw "stays" and "changes"; the first is used',
    'export.event-types': 'the world of this service holds its own data',
  })
  expect(learned.missing).toContainEqual(['audit.delay', 'skip: set AUDIT_WAIT_S'])
  expect(learned.missing).toContainEqual(['version.weak', 'it is not in the report'])
  expect(learned.assumed).toEqual(['comments are limited to 1024 characters'])
})

test('a learned mock names an impossible value as not imitated', () => {
  const { learned } = mockOf(Object.fromEntries(ids.map((id) => [id, { x: 'nonsense' }])))
  expect(learned.unclear.map(([id]) => id).toSorted()).toEqual(ids.toSorted())
})

// A manually edited report gives a service that runs, and names what was not used.
test.each([null, 7, [null], { update: 'x', csv: 3, refused: {}, one: 'repeat' }])(
  'a learned mock answers with any value in its report: %j',
  async (value) => {
    const { ask } = mockOf(Object.fromEntries(ids.map((id) => [id, value])))
    const paths = [
      `/tasks/${task?.id}`,
      '/tasks/x',
      `/assessments/${world.assessments[0]?.id}`,
      '/audit-sentinel/events/export?range_start=2025-01-01&locale=xx&timezone=x',
      '/audit-sentinel/events/export',
    ]
    for (const path of paths) expect((await ask(path)).status).not.toBe(500)
    const body = { update: { assigned_by_id: world.users[0]?.id, assigned_to_type: 'USER' } }
    const init = { method: 'PUT', body: JSON.stringify(body) }
    const headers = { apikey: world.apiKey, 'if-match': '1', 'content-type': 'application/json' }
    const put = await ask(`/tasks/${task?.id}/update-assignment`, { ...init, headers })
    expect(put.status).not.toBe(500)
  },
)

test('each observing clause sets a rule of the learned mock, or a reason says why not', async () => {
  const clauses = await allClauses()
  const observing = clauses.flatMap(({ id, level }) => (level === 'observe' ? [id] : []))
  expect([...ids, ...Object.keys(notImitated)].toSorted()).toEqual(observing.toSorted())
})

/** Moments of every month, in the morning and in the evening. */
const moments = Array.from({ length: 60 }, (_, n): DateShown => {
  const at = new Date(
    Date.UTC(2026, n % 12, 1 + ((n * 7) % 28), (n * 5) % 24, n % 60, (n * 11) % 60, n * 13),
  )
  const local = `${at.toISOString().slice(0, 23)}000000`
  return { instant: `${local}Z`, local, offset: 0, zone: 'UTC', locale: 'en' }
})

/** Without words, and in years, months and days. */
const readable = dates.filter(
  ({ name }) => !/words|not at all|spreadsheet|day of the year|by weeks/.test(name),
)

test.each(readable)('$name: learned and written alike', ({ open }) => {
  const texts = moments.map((moment) => open?.dateForm?.(moment))
  const [reading] = readingsOf(texts.map(String))
  const form = reading && formOf(texts.map(String), reading.order)
  const observed = { 'export.dates': { When: form } }
  const { dateForm } = mockOf(observed).learned.open
  expect(moments.map((moment) => dateForm?.(moment))).toEqual(texts)
})

const place = openWorkerFolder()
const skipped = (id: string, reason: string) =>
  clause(id, { level: 'observe', verdict: 'skip', reason })

test('serve --like answers as the report shows, and says what it learned', async () => {
  const report = reportWith([
    seen('task.read.success-status', [203]),
    seen('assign.data-version-rule', ['stays', 'by one']),
    skipped('audit.delay', 'set AUDIT_WAIT_S'),
    clause('auth.missing-key.export', { verdict: 'fail', reason: 'responded 200, not 401' }),
    clause('version.star', { level: 'should', verdict: 'warn', reason: 'responded 200' }),
  ])
  // A seed chooses people and tasks; the report decides the answers.
  const { lines, env } = await serveIn(place, '--like', fileWith(report), '--seed', '3')
  const { API_KEY: apikey = '', BASE_URL, TASK_IDS: id = '' } = env
  const answer = await fetch(`${BASE_URL}/tasks/${id.split(',')[0]}`, { headers: { apikey } })
  expect(answer.status).toBe(203)
  expect((await fetch(`${BASE_URL}/audit-sentinel/events/export`)).status).toBe(401)
  const said = lines.filter((line) => line.startsWith('#')).join('\n')
  expect(said).toMatch(/# like http\S+ on 2026-01-01: 1 of \d+ observations are imitated/)
  expect(said).toContain('#   audit.delay (skip: set AUDIT_WAIT_S)')
  expect(said).toContain(
    '#   assign.data-version-rule (saw "stays" and "by one"; the first is used)',
  )
  expect(said).toContain(
    '# broken by that service; this one responds as the contract says, unless an imitated observation breaks it too:\n#   auth.missing-key.export, version.star',
  )
})

/** The remarks on the lessons of these reports. */
const saidOf = (...reports: Report[]) => {
  const lesson = readLessons(
    reports.map((each) => fileWith(each)),
    place,
  )
  return lesson ? describeLearned(learn(lesson, makeWorld(1, { events: 10 })), lesson) : ''
}

test('serve --like learns of several reports what each of them saw, and names contradictions', () => {
  const said = saidOf(
    reportWith([seen('task.read.success-status', [203]), seen('version.weak', 409)]),
    reportWith([
      seen('task.read.success-status', [200]),
      seen('version.weak', 409),
      seen('version.quoted', 'accepted'),
    ]),
  )
  expect(said).toMatch(/# like http.*: 2 of \d+ observations are imitated/)
  expect(said).toContain(
    'task.read.success-status (the reports saw different things; the first is used)',
  )
  expect(said).not.toContain('version.quoted')
})

test('serve --like a report that observed nothing is not one to learn from', async () => {
  const file = fileWith(reportWith([clause('a')]))
  await expect(
    serve({ argv: ['--like', file], env: {}, cwd: place, out: { write: () => true } }),
  ).rejects.toThrow('nothing was observed there; give the report of a run that')
})

const ofUpdates = [...manners, ...refusals]
const all: Variant[] = [...mailVariants, ...files, ...filters, ...reads, ...ofUpdates]
const services: [name: string, variants: string, seen: string][] = [
  [
    'reads and updates',
    'success is 203; timestamps with +00:00; other status values; comments are kept trimmed; data_version stays, and locked_at becomes the time of the update; If-Match is taken in quotes and as a weak validator too',
    'task.read.success-status task.read.timestamp-forms assign.comment-trimming assign.locked-at-rule version.weak',
  ],
  [
    'refusals',
    'errors hold a problem; malformed ids are answered 422; invalid bodies are answered 400; a missing If-Match is answered 412; unassigning the unassigned is answered 409; comments longer than 255 characters are refused; fields that the contract does not name are refused',
    'task.read.error-body assign.error-codes assign.status-of-invalid-body version.missing-status assign.unassign-unassigned assign.comment-limit assign.extra-fields',
  ],
  [
    'files and mails',
    'columns are called otherwise; a title before the header; a byte order mark; lines end in "\\n"; the newest first; files are of type text/plain; files are disposed of by inline; who was assigned, and who assigns, are mailed as well; lists as comma, ARRAY_ENCODING comma; what is invalid is answered 422',
    'export.columns export.delimiter export.bom export.row-order export.csv-content-type export.delivery notify.others notify.unassigned export.array-encoding export.error-body',
  ],
]

// `npm test` tries the first of them with what it shows, `npm run long` all with all.
const tried = isLong ? services : services.slice(0, 1)
const imitated = isLong ? ids : tried.flatMap(([, , seen]) => seen.split(' '))

const observedBy = async (bent: Bent) => {
  const { report, output } = await runClauses(bent, imitated)
  if (!report) throw new Error(`no report: ${output}`)
  return lessonOf(report, 'the report')
}
const plain = await observedBy({ events: 300 })

test.each(tried)('a mock does as its service: %s', { timeout: 300_000 }, async (_, names, seen) => {
  const variants = names.split('; ').map((name) => {
    const found = all.find((each) => each.name === name)
    if (!found) throw new Error(`there is no variant ${name}`)
    return found
  })
  const around = { events: 300, env: Object.assign({}, ...variants.map(({ env }) => env)) }
  const open = Object.assign({}, ...variants.map((each) => each.open))
  const service = await observedBy({ ...around, open })
  for (const id of seen.split(' '))
    expect(differencesIn(plain.observed[id], service.observed[id]), id).not.toEqual([])

  const learned = learn(service, makeWorld(1))
  expect(learned.unclear.filter(([id]) => !(id in notImitated))).toEqual([])
  const mock = await observedBy({ ...around, open: learned.open })
  const of = (values: typeof mock.observed) =>
    Object.fromEntries(
      imitated.filter((id) => service.observed[id] !== undefined).map((id) => [id, values[id]]),
    )
  expect(differencesIn(of(service.observed), of(mock.observed))).toEqual([])
})
