// Statements hold the contract's facts literally, so that a search for one finds the clause: here they are compared.
import { describe, expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import {
  assigneeTypes,
  fields,
  fieldsOf,
  fieldsWith,
  requiredFields,
  sentFields,
  workflowStates,
} from '../../helpers/contract/fields.ts'
import { metadataKeys } from '../../helpers/contract/metadata-keys.ts'
import { defaultLanguage, fileTypes, parameters } from '../../helpers/contract/parameters.ts'
import { pdfLimit } from '../../helpers/contract/pdf-limit.ts'
import { sentences } from '../../helpers/contract/sentences.ts'
import { statuses } from '../../helpers/contract/statuses.ts'
import { foreignMembers } from '../../helpers/updates/further-updates.ts'
import { read } from './tree.ts'

type Clause = { id: string; statement: string; reading?: string; operation?: string }

const clauses: Clause[] = JSON.parse(read('program/clauses.json'))
const clausesOf = (glob: string) => clauses.filter(({ id }) => matchesAny(id, [glob]))
const advice = 'correct the statement, which the id finds in suites/'
const adviceOnStatus = `${advice}, or quote the sentence with this status in helpers/contract/sentences.ts`

/** The statuses that statements of these clauses may name beside those of the sentences under which they stand. */
const otherStatuses: Record<string, (keyof typeof statuses)[]> = {
  'auth.*': ['badKey'],
  'auth.before-lookup.*': ['unknownId'],
  'version.*': ['staleVersion'],
  'export.*': ['exported', 'failedExport'],
}

/** What the contract says under which the clause stands. */
const quotesOf = (id: string): string =>
  Object.values(sentences)
    .flat()
    .flatMap((sentence) =>
      'says' in sentence && 'clauses' in sentence && matchesAny(id, sentence.clauses)
        ? sentence.says
        : [],
    )
    .join(' ')

/** Without lengths of comments. */
const numbersIn = (statement: string): number[] =>
  statement.includes(' characters')
    ? []
    : (statement.match(/(?<![\w:.,+-])\d[\d,]*\b/g) ?? []).map((text) =>
        Number(text.replaceAll(',', '')),
      )

const statusesIn = (text: string): number[] =>
  numbersIn(text).filter((number) => number >= 100 && number < 600)

test('a statement names the statuses of its sentences in the contract', () => {
  const wrong = clauses.flatMap(({ id, statement }) => {
    const others = Object.entries(otherStatuses)
      .filter(([glob]) => matchesAny(id, [glob]))
      .flatMap(([, names]) => names.map((name): number => statuses[name]))
    const allowed = [...statusesIn(quotesOf(id)), ...others]
    return statusesIn(statement).every((status) => allowed.includes(status))
      ? []
      : `${id}: ${statement}`
  })
  expect(wrong, adviceOnStatus).toEqual([])
})

test('statements of the limit name it, or one event more', () => {
  const wrong = clausesOf('export.*').flatMap(({ id, statement }) => {
    const named = numbersIn(statement).filter((number) => number >= 600)
    return named.every((number) => [pdfLimit, pdfLimit + 1].includes(number))
      ? []
      : `${id}: ${statement}`
  })
  expect(wrong, advice).toEqual([])
  const limits = clausesOf('export.pdf-limit.*').flatMap(({ statement }) => numbersIn(statement))
  expect(limits).toContain(pdfLimit)
  expect(limits).toContain(pdfLimit + 1)
})

test('a name in a statement or a reading is one of the table', () => {
  const tables = [...Object.values(fields), ...Object.values(sentFields), parameters]
  const known = new Set([...tables.flatMap((table) => Object.keys(table)), ...metadataKeys])
  const wrong = clauses.flatMap(({ id, statement, reading = '' }) => {
    const text = `${statement} ${reading}`
    const keys = [...text.matchAll(/metadata\[(\w+)\]/g)].map(([, key = '']) => key)
    const names = [...(text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []), ...keys]
    return names
      .filter((name) => !known.has(name) && name !== 'key')
      .map((name) => `${id}: ${name}`)
  })
  expect(wrong, advice).toEqual([])
})

/** Fields and values that the statement of a clause lists, among others that it could list. */
const lists: Record<string, { among: readonly string[]; listed: readonly string[] }> = {
  'task.read.types': {
    among: fieldsOf('task'),
    listed: fieldsWith('task', ({ form }) => /^(integer|object|text)$/.test(form)),
  },
  'task.read.repeatable': {
    among: fieldsOf('task'),
    listed: fieldsWith('task', ({ restless }) => restless),
  },
  'assign.only-the-assignment': {
    among: fieldsOf('task'),
    // It says "ids" and "names" of the others.
    listed: fieldsWith('task', ({ kept, form }) => kept && form !== 'id').filter(
      (field) => !/^(c_)?name$/.test(field),
    ),
  },
  'assign.extra-fields.ignored': { among: fieldsOf('task'), listed: Object.keys(foreignMembers) },
  'assign.fields-as-given': {
    among: fieldsOf('assignment'),
    listed: requiredFields('update'),
  },
  'assessment.read.timestamps': {
    among: fieldsOf('assessment'),
    listed: fieldsWith('assessment', ({ form }) => form === 'timestamp'),
  },
  'assessment.read.error-fields': {
    among: fieldsOf('assessment'),
    listed: fieldsWith('assessment', ({ ofError }) => ofError),
  },
  'assessment.read.state': { among: workflowStates, listed: workflowStates },
  'assign.type-values': { among: assigneeTypes, listed: assigneeTypes },
  'assign.type-values.status': { among: assigneeTypes, listed: assigneeTypes },
  'export.invalid.file-type': { among: fileTypes, listed: fileTypes },
  'export.default-csv': { among: fileTypes, listed: [parameters.file_type.default] },
  'export.default-locale': { among: [defaultLanguage], listed: [defaultLanguage] },
}

describe('a statement that lists fields or values lists those of the table', () => {
  test.each(Object.entries(lists))('%s', (id, { among, listed }) => {
    const { statement = '' } = clausesOf(id)[0] ?? {}
    const words: string[] = statement.match(/\w+/g) ?? []
    const named = among.filter((name) => words.includes(name))
    expect(named.toSorted(), `${advice}: ${statement}`).toEqual(listed.toSorted())
  })

  test('no other statement lists several', () => {
    const tables = [...Object.values(fields).map((table) => Object.keys(table)), workflowStates]
    const others = clauses.filter(({ id }) => !lists[id])
    const listing = others.filter(({ statement }) => {
      const words: string[] = statement.match(/\w*(?:_\w+)+|\b[A-Z]\w+/g) ?? []
      return tables.some((names) => names.filter((name) => words.includes(name)).length > 1)
    })
    expect(
      listing.map(({ id, statement }) => `${id}: ${statement}`),
      'add it above',
    ).toEqual([])
  })
})
