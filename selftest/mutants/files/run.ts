// npm run mutants -- --files [--sample N --seed S]: one change to some of the files of a service's exports.
import { csvFiles } from '../../files/csv-files.ts'
import { pdfFiles } from '../../files/pdf-files.ts'
import { commitOf, createKept, product } from '../../kept.ts'
import { brokenIn, runProgram } from '../../proofs/prove.ts'
import { csvForm, type Form, pdfForm } from './forms.ts'
import { fileOperators, targets } from './operators.ts'
import { createFilesService, type FileMutant } from './stand-in.ts'

type Pair = { csv: Form; pdf: Form }
/** The clauses that notice a change to files, or complain about unchanged files. */
type Outcome = { key: string; commit: string; applied: number; broken: string[] }

const commit = commitOf(...product, 'selftest/files', 'selftest/mutants/files')
const kept = createKept<Outcome>('mutants-files.jsonl')
const before = new Map(kept.read().map((each) => [`${each.key} ${each.commit}`, each]))
const say = (text: string) => console.log(text)

/** Runs the files unchanged and changed; a restart continues. */
async function outcomeOf({ csv, pdf }: Pair, mutant?: FileMutant): Promise<Outcome> {
  const what = mutant ? `${mutant.operator.name} in ${mutant.target.name} of ` : ''
  const key = `${what}${csv.path} and ${pdf.path}`
  const known = before.get(`${key} ${commit}`)
  if (known) return known
  const limit = Math.min(csv.events.length, pdf.events.length)
  const service = createFilesService({ csv, pdf, limit }, mutant)
  const env = { SEED: '1', SETTLE_MS: '60', AUDIT_WAIT_S: '0', MAIL_WAIT_S: '0' }
  const more = { service, pdfLimit: limit, makers: {} }
  const broken = brokenIn(await runProgram(env, ['--clauses', 'export.*'], more))
  const outcome = { key, commit, applied: service.applied(), broken }
  kept.keep(outcome)
  return outcome
}

/** The exit code: 1 if a clause fails or warns on unchanged files. */
export async function runFiles(drawn: <T>(list: readonly T[]) => T[]): Promise<number> {
  // With times of their own: their events cannot be cut out of them in a zone.
  const csvs = csvFiles.filter(({ otherwise }) => otherwise?.time === undefined).map(csvForm)
  const forms = await Promise.all(pdfFiles.map((file) => pdfForm(file).catch(() => undefined)))
  const pdfs = forms.filter((form) => form !== undefined)
  const pairs = Array.from({ length: Math.max(csvs.length, pdfs.length) }, (_, n) => ({
    csv: csvs[n % csvs.length] as Form,
    pdf: pdfs[n % pdfs.length] as Form,
  }))
  const originals = await inTurn(pairs, async (pair) => {
    const { key, broken } = await outcomeOf(pair)
    say(`${key}: ${broken.join(', ') || 'nothing'}`)
    return broken
  })
  const mutants = targets
    .flatMap((target) => fileOperators.map((operator) => ({ target, operator })))
    .flatMap((mutant, n) =>
      [0, 1, 2, 3].map((turn) => ({ ...mutant, at: (n * 4 + turn * 7) % pairs.length })),
    )
  const found = await inTurn(drawn(mutants), async ({ at, ...mutant }) => {
    const { key, applied, broken } = await outcomeOf(pairs[at] as Pair, mutant)
    const news = broken.filter((id) => !originals[at]?.includes(id))
    if (applied > 0) say(`${key}: ${news.join(', ') || 'NOT NOTICED'}`)
    return { ...mutant, applied, isNoticed: news.length > 0 }
  })
  const applied = found.filter((each) => each.applied > 0)
  const share = (title: string, of: (one: (typeof applied)[number]) => boolean) => {
    const some = applied.filter(of)
    say(`${title}: ${some.filter(({ isNoticed }) => isNoticed).length} of ${some.length} noticed`)
  }
  share(
    'which events one answer holds',
    ({ target, operator }) => !target.apart && operator.ofEvents,
  )
  share(
    'what one answer shows of them',
    ({ target, operator }) => !target.apart && !operator.ofEvents,
  )
  share('alike in all answers', ({ target }) => target.apart === true)
  return originals.some((broken) => broken.length > 0) ? 1 : 0
}

/** Two at a time: a run keeps less than two cores busy. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = [...items.entries()]
  const next = async (): Promise<void> => {
    for (let one = queue.shift(); one; one = queue.shift()) results[one[0]] = await work(one[1])
  }
  await Promise.all([next(), next()])
  return results
}
