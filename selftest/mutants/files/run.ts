// Mutants of files: npm run mutants -- --files [--sample N --seed S]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CsvFile, csvFiles } from '../../files/csv-files.ts'
import { pdfFiles } from '../../files/pdf-files.ts'
import { commitOf, createKept, product, root } from '../../kept.ts'
import { brokenIn, runProgram } from '../../proofs/prove.ts'
import { sampleOf } from '../../sample.ts'
import { csvForm, type Form, pdfForm } from './forms.ts'
import { fileOperators, targets } from './operators.ts'
import { createFilesService, type FileMutant } from './stand-in.ts'
import { type FileOutcome, pageOfFiles } from './write.ts'

/** With times of their own: their events cannot be cut out of them in a zone. */
const hasOwnTimes = ({ otherwise }: CsvFile) => otherwise?.time !== undefined

async function formsOfPdfs(): Promise<Form[]> {
  const forms: Form[] = []
  for (const file of pdfFiles) {
    const form = await pdfForm(file).catch(() => undefined)
    if (form) forms.push(form)
  }
  return forms
}

async function sightOf(csv: Form, pdf: Form, mutant?: FileMutant) {
  const count = Math.min(csv.events.length, pdf.events.length)
  const limit = Math.floor(count * 1.0)
  const service = createFilesService({ csv, pdf, limit }, mutant)
  const env = { SEED: '1', SETTLE_MS: '60', AUDIT_WAIT_S: '0', MAIL_WAIT_S: '0' }
  const checked = await runProgram(env, ['--clauses', 'export.*'], {
    service,
    pdfLimit: limit,
    makers: {},
  })
  return { broken: brokenIn(checked), exitCode: checked.exitCode, applied: service.applied() }
}

/** What was run before of this commit: a second start goes on where the first one stopped. */
const kept = createKept<{ commit: string; applied: number } & FileOutcome>('mutants-files.jsonl')

/** What clauses say of a pair of files, from what was kept where it is known. */
function createSight() {
  const commit = commitOf(...product, 'selftest/files', 'selftest/mutants/files')
  const keyOf = ({ name, target, files }: Pick<FileOutcome, 'name' | 'target' | 'files'>) =>
    [name, target, ...files].join('|')
  const before = new Map(
    kept.read().flatMap((line) => (line.commit === commit ? [[keyOf(line), line]] : [])),
  )
  return async (csv: Form, pdf: Form, mutant?: FileMutant) => {
    const { operator, target } = mutant ?? {}
    const of = {
      name: operator?.name ?? 'original',
      target: target?.name ?? '',
      files: [csv.path, pdf.path],
      ofEvents: operator?.ofEvents ?? false,
      apart: target?.apart ?? false,
    }
    const known = before.get(keyOf(of))
    if (known) return known
    const { broken, applied } = await sightOf(csv, pdf, mutant)
    const outcome = { commit, applied, ...of, broken }
    kept.keep(outcome)
    return outcome
  }
}

/** Runs the originals and the mutants, and writes what came of them. */
export async function runFiles({ sample, seed }: { sample?: string | undefined; seed: string }) {
  const sight = createSight()
  const csvs = csvFiles.filter((file) => !hasOwnTimes(file)).map(csvForm)
  const pdfs = await formsOfPdfs()
  const pairs = Array.from({ length: Math.max(csvs.length, pdfs.length) }, (_, n) => ({
    csv: csvs[n % csvs.length] as Form,
    pdf: pdfs[n % pdfs.length] as Form,
  }))
  const originals = await inTurn(pairs, async ({ csv, pdf }) => {
    const outcome = await sight(csv, pdf)
    say(`${csv.path} and ${pdf.path}: ${outcome.broken.join(', ') || 'nothing'}`)
    return outcome
  })
  const all = targets.flatMap((target) => fileOperators.map((operator) => ({ target, operator })))
  const mutants = all.flatMap((mutant, n) =>
    [0, 1, 2, 3].map((turn) => ({
      ...mutant,
      ...(pairs[(n * 4 + turn * 7) % pairs.length] as (typeof pairs)[number]),
    })),
  )
  const chosen = sampleOf(
    mutants,
    sample === undefined ? mutants.length : Number(sample),
    Number(seed),
  )
  const known = new Map(originals.map(({ files, broken }) => [files.join(), broken]))
  // In the order of the table, whichever ends first.
  const inOrder: (FileOutcome | undefined)[] = []
  const found = () => inOrder.filter((outcome) => outcome !== undefined)
  await inTurn([...chosen.entries()], async ([at, { target, operator, csv, pdf }]) => {
    const outcome = await sight(csv, pdf, { operator, target })
    if (outcome.applied === 0) return
    const before = known.get(outcome.files.join()) ?? []
    const broken = outcome.broken.filter((id) => !before.includes(id))
    inOrder[at] = { ...outcome, broken }
    // Written as far as it has come: it takes long.
    write(originals, found())
    say(
      `${operator.name} in ${target.name} of ${outcome.files.join(' and ')}: ${broken.join(', ') || 'NOT NOTICED'}`,
    )
  })
  const missed = found().filter(
    ({ broken, ofEvents, apart }) => broken.length === 0 && ofEvents && !apart,
  )
  say(
    `${found().length} mutants, ${missed.length} that change the events of one answer were not noticed`,
  )
  process.exitCode = originals.some(({ broken }) => broken.length > 0) ? 1 : 0
}

const write = (originals: readonly FileOutcome[], found: readonly FileOutcome[]) =>
  writeFileSync(join(root, 'reports/file-mutants.md'), pageOfFiles(originals, found))

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

function say(sentence: string) {
  console.log(sentence)
}
