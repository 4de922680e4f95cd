import { type CaseOrWhy, caseOf, type Unasked } from '../../engine/clause/case.ts'
import { caseOrWhy } from '../../engine/clause/law.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Faker, randomFor } from '../../engine/random.ts'
import { metadataKeys } from '../contract/metadata-keys.ts'
import { defaultLanguage, type FileType, metadataParameter } from '../contract/parameters.ts'
import type { Shared } from '../service/service.ts'
import type { How } from '../service/update-request.ts'
import type { KeyProbe } from './key-probes.ts'
import { fetchTrial, type Ways } from './unauthorized.ts'

/** The contract says of every export that it needs a valid key. */
type Form = { type?: FileType; isFiltered?: true; isShown?: true }

/** Each pair has both file types, with and without filters; a key is tried with one pair. */
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
    ...(isShown ? ['with a time zone and a language'] : []),
  ].join(' ')

function queryOf({ type, isFiltered, isShown }: Form, seed: number): string | undefined {
  const random = randomFor(seed, 'export forms')
  const query = new URLSearchParams()
  if (type) query.set('file_type', type)
  if (isFiltered) {
    query.set('auditee_id', random.string.uuid())
    const key = random.helpers.arrayElement(metadataKeys.filter((each) => each.endsWith('_id')))
    query.set(metadataParameter(key), random.string.uuid())
  }
  if (isShown) {
    query.set('timezone', 'Europe/Berlin')
    query.set('locale', defaultLanguage)
  }
  return query.toString() || undefined
}

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

/** A form that is rejected with the valid key too is left out. */
export async function* trialsInForms(probe: KeyProbe, ways: Ways, deps: Deps) {
  const fetchIn = async (form: Form, how: How, what: string) =>
    fetchTrial(await inForm(probe, form, deps), how, { what: `${what}, ${describeForm(form)}` })
  for (const [at, [what, how]] of ways.entries())
    for (const form of ways.length === 1 ? pairs.flat() : (pairs[at % pairs.length] ?? []))
      yield caseOrWhy(fetchIn(form, how, what))
}

const reversed = 'range_start=2020-01-02T00:00:00.000Z&range_end=2020-01-01T00:00:00.000Z'

const invalidBesides = {
  'a reversed range': `file_type=csv&${reversed}`,
  'a reversed range of a PDF': `file_type=pdf&${reversed}`,
  'an unknown file_type': 'file_type=docx',
  'a metadata key that is not allowed': `${metadataParameter('colour')}=blue`,
} as const

export type InvalidBesides = { what: string; answer: Answer }

export async function fetchInvalidBesides(
  shared: Shared,
  random: Faker,
  control?: Answer,
): Promise<CaseOrWhy<InvalidBesides>[]> {
  const all = await shared('exports that are invalid besides the key', async (service) => {
    const answers: { what: string; answer: Answer | Unasked }[] = []
    const keys = [
      { what: 'no key', key: null },
      { what: 'a random key', key: random.string.alphanumeric(32) },
    ] as const
    for (const [at, [wrong, query]] of Object.entries(invalidBesides).entries()) {
      const { what, key } = keys[at % 2 === 0 ? 0 : 1]
      const answer = await caseOrWhy(service.exportEvents(query, { key }))
      answers.push({ what: `${what} and ${wrong}`, answer })
    }
    return answers
  })
  return all.map(({ what, answer }) =>
    answer instanceof Error ? answer : caseOf({ what, answer }, { judged: answer, control }),
  )
}
