import { expect, test } from 'vitest'
import { lessonOf } from '../../program/input/lesson.ts'
import { learn } from '../../reference/learn/learn.ts'
import { notImitated, table } from '../../reference/learn/table.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { differencesIn } from '../../reporting/comparison/values.ts'
import { isLong } from '../long.ts'
import type { Bent, Variant } from '../proofs/fault.ts'
import { runClauses } from '../proofs/prove.ts'
import { mailVariants } from '../proofs/variants/audit.ts'
import { variants as files } from '../proofs/variants/export-file.ts'
import { variants as filters } from '../proofs/variants/export-filters.ts'
import { variants as reads } from '../proofs/variants/reads.ts'
import { manners as manners, refusals as refusals } from '../proofs/variants/updates.ts'

const ofUpdates = [...manners, ...refusals]
const all: Variant[] = [...mailVariants, ...files, ...filters, ...reads, ...ofUpdates]
const ids = [...new Set(table.flatMap(({ of }) => Object.keys(of)))]
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
