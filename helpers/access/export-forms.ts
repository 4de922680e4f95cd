// One export in the forms that the contract names, for keys that it is not to be accepted with.

import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { pairwise } from '../../engine/pairs.ts'
import type { Faker } from '../../engine/random.ts'
import { metadataKeys } from '../service/operations.ts'
import type { Shared } from '../service/service.ts'
import type { KeyProbe } from './key-probes.ts'
import { expectUnauthorized } from './unauthorized.ts'

/** What the sentence that a key is needed is silent on. */
const exportForms = {
  'file type': ['left out', 'csv', 'pdf'],
  filters: ['none', 'a parameter and metadata'],
  'zone and language': ['left out', 'given'],
} as const

type Form = { [Name in keyof typeof exportForms]: (typeof exportForms)[Name][number] }

/** The query of a form, beside the range that every such request has. */
function queryOf(form: Form, random: Faker): string {
  const query = new URLSearchParams()
  if (form['file type'] !== 'left out') query.set('file_type', form['file type'])
  if (form.filters !== 'none') {
    query.set('auditee_id', random.string.uuid())
    const key = random.helpers.arrayElement(metadataKeys.filter((each) => each.endsWith('_id')))
    query.set(`metadata[${key}]`, random.string.uuid())
  }
  if (form['zone and language'] === 'given') {
    query.set('timezone', 'Europe/Berlin')
    query.set('locale', 'en')
  }
  return query.toString()
}

/** "a PDF with filters, zone and language", as a sentence names it. */
function describeForm(form: Form): string {
  const file = { 'left out': 'an export', csv: 'a CSV', pdf: 'a PDF' }[form['file type']]
  const beside = [
    ...(form.filters === 'none' ? [] : ['filters']),
    ...(form['zone and language'] === 'given' ? ['zone and language'] : []),
  ]
  return beside.length > 0 ? `${file} with ${beside.join(', ')}` : file
}

const inForm = (probe: KeyProbe, form: Form, random: Faker): KeyProbe => {
  const query = queryOf(form, random) || undefined
  return { ...probe, send: (how) => probe.send({ ...how, query }) }
}

/**
 * Expects 401 to each of these keys in every form, two by two. A form that is refused with the valid
 * key too tells nothing, and counts only where all of them are.
 */
export async function expectUnauthorizedInForms(
  probe: KeyProbe,
  keys: ReadonlyMap<string, string | null>,
  random: Faker,
): Promise<number> {
  const rows = pairwise({ key: [...keys.keys()], ...exportForms }, random)
  const undecided: (NotDecidable | Trouble)[] = []
  for (const { key, ...form } of rows)
    try {
      const described = `${key}, on ${describeForm(form)}`
      await expectUnauthorized(
        inForm(probe, form, random),
        { key: keys.get(key) ?? null },
        { what: described },
      )
    } catch (error) {
      if (!(error instanceof NotDecidable || error instanceof Trouble)) throw error
      undecided.push(error)
    }
  const [why] = undecided
  if (why && undecided.length === rows.length) throw why
  return rows.length - undecided.length
}

const reversed = 'range_start=2020-01-02T00:00:00.000Z&range_end=2020-01-01T00:00:00.000Z'

/** What is wrong with a request besides its key. */
const invalidBesides = {
  'a reversed range': `file_type=csv&${reversed}`,
  'a reversed range of a PDF': `file_type=pdf&${reversed}`,
  'an unknown file_type': 'file_type=docx',
  'a metadata key that is not allowed': 'metadata[colour]=blue',
} as const

/** An export that is invalid besides its key, and its answer. */
export type InvalidBesides = { what: string; answer: Answer }

/** The answers to requests that are invalid besides their key, by what is wrong with each. */
export const fetchInvalidBesides = (shared: Shared, random: Faker) =>
  shared('exports that are invalid besides the key', async (service) => {
    const found: InvalidBesides[] = []
    const keys = [
      { what: 'no key', key: null },
      { what: 'a random key', key: random.string.alphanumeric(32) },
    ] as const
    for (const [at, [wrong, query]] of Object.entries(invalidBesides).entries()) {
      const { what, key } = keys[at % 2 === 0 ? 0 : 1]
      const answer = await service.exportEvents(query, { key })
      found.push({ what: `${what} and ${wrong}`, answer })
    }
    return found
  })
