// One export in the forms that the contract names, for keys that it is not to be accepted with.

import type { Answer } from '../../engine/http/client.ts'
import { beside } from '../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Faker, randomFor } from '../../engine/random.ts'
import { metadataKeys } from '../service/operations.ts'
import type { Shared } from '../service/service.ts'
import type { How } from '../service/update-request.ts'
import type { KeyProbe } from './key-probes.ts'
import { expectUnauthorized } from './unauthorized.ts'

/** One form of an export, with what the sentence that a key is needed is silent on. */
type Form = { type?: 'csv' | 'pdf'; isFiltered?: true; isShown?: true }

/** The forms, in pairs: in each both file types, and filters and none. A key is tried with one of them. */
const pairs: Form[][] = [
  [{}, { type: 'pdf', isFiltered: true, isShown: true }],
  [{ type: 'csv', isFiltered: true }, { type: 'pdf' }],
  [
    { type: 'csv', isShown: true },
    { type: 'pdf', isFiltered: true },
  ],
]

const describeForm = ({ type, isFiltered, isShown }: Form): string =>
  [
    type?.toUpperCase() ?? 'an export without file_type',
    ...(isFiltered ? ['with filters'] : []),
    ...(isShown ? ['with a zone and a language'] : []),
  ].join(' ')

/** The query of a form, beside the range that every such request has; the same in all of a run. */
function queryOf({ type, isFiltered, isShown }: Form, seed: number): string | undefined {
  const random = randomFor(seed, 'export forms')
  const query = new URLSearchParams()
  if (type) query.set('file_type', type)
  if (isFiltered) {
    query.set('auditee_id', random.string.uuid())
    const key = random.helpers.arrayElement(metadataKeys.filter((each) => each.endsWith('_id')))
    query.set(`metadata[${key}]`, random.string.uuid())
  }
  if (isShown) {
    query.set('timezone', 'Europe/Berlin')
    query.set('locale', 'en')
  }
  return query.toString() || undefined
}

/** The same probe in a form, beside the same request with the valid key. */
async function inForm(probe: KeyProbe, form: Form, { shared, seed }: Deps): Promise<KeyProbe> {
  const query = queryOf(form, seed)
  if (query === undefined) return probe
  const send = (how: How) => probe.send({ ...how, query })
  return {
    ...probe,
    send,
    control: await shared(`control: ${query}`, (at) => probe.send({ query }, at)),
  }
}

type Deps = { shared: Shared; seed: number }

/**
 * Expects 401 to each of these keys in some of the forms, and to a single one in all. A form that is
 * refused with the valid key too tells nothing, and counts only where all of them are.
 */
export async function expectUnauthorizedInForms(
  probe: KeyProbe,
  keys: readonly (readonly [what: string, key: string | null])[],
  deps: Deps,
): Promise<number> {
  const undecided: (NotDecidable | Trouble)[] = []
  const rows = keys.flatMap(([what, key], at) =>
    (keys.length === 1 ? pairs.flat() : (pairs[at % pairs.length] ?? [])).map((form) => ({
      what,
      key,
      form,
    })),
  )
  for (const { what, key, form } of rows)
    try {
      await expectUnauthorized(
        await inForm(probe, form, deps),
        { key },
        { what: `${what}, ${describeForm(form)}` },
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
export async function fetchInvalidBesides(
  shared: Shared,
  random: Faker,
  control?: Answer,
): Promise<InvalidBesides[]> {
  const answers = await shared('exports that are invalid besides the key', async (service) => {
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
  if (control) for (const { answer } of answers) beside(answer, { control })
  return answers
}
