// Mutants of files: npm run mutants -- --files [--sample N --seed S]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { csvFiles } from '../../files/csv-files.ts'
import { pdfFiles } from '../../files/pdf-files.ts'
import { root } from '../../kept.ts'
import { brokenIn, runProgram } from '../../proofs/prove.ts'
import { sampleOf } from '../../sample.ts'
import { csvForm, type Form, pdfForm } from './forms.ts'
import { fileOperators, targets } from './operators.ts'
import { createFilesService, type FileMutant } from './stand-in.ts'
import { type FileOutcome, pageOfFiles } from './write.ts'

/** Written with losses, or over several lines: their events cannot be cut out of them. */
const isLossy = ({ path }: { path: string }) => /libreoffice-calc\.csv|sqlite-list/.test(path)

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

/** Runs the originals and the mutants, and writes what came of them. */
export async function runFiles({ sample, seed }: { sample?: string | undefined; seed: string }) {
  const csvs = csvFiles.filter((file) => !isLossy(file)).map(csvForm)
  const pdfs = await formsOfPdfs()
  const pairs = Array.from({ length: Math.max(csvs.length, pdfs.length) }, (_, n) => ({
    csv: csvs[n % csvs.length] as Form,
    pdf: pdfs[n % pdfs.length] as Form,
  }))
  const originals = await inTurn(pairs, async ({ csv, pdf }): Promise<FileOutcome> => {
    const { broken } = await sightOf(csv, pdf)
    say(`${csv.path} and ${pdf.path}: ${broken.join(', ') || 'nothing'}`)
    return {
      name: 'original',
      target: '',
      files: [csv.path, pdf.path],
      broken,
      ofEvents: false,
      apart: false,
    }
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
  // Written as far as it has come: it takes long.
  const said: FileOutcome[] = []
  const outcomes = await inTurn(chosen, async ({ target, operator, csv, pdf }) => {
    const files = [csv.path, pdf.path]
    const { broken, applied } = await sightOf(csv, pdf, { operator, target })
    if (applied === 0) return undefined
    const before = known.get(files.join()) ?? []
    const { name, ofEvents } = operator
    const seen = broken.filter((id) => !before.includes(id))
    const outcome: FileOutcome = {
      name,
      target: target.name,
      files,
      broken: seen,
      ofEvents,
      apart: target.apart ?? false,
    }
    said.push(outcome)
    write(originals, said)
    say(`${name} in ${target.name} of ${files.join(' and ')}: ${seen.join(', ') || 'NOT NOTICED'}`)
    return outcome
  })
  const found = outcomes.filter((outcome) => outcome !== undefined)
  write(originals, found)
  const missed = found.filter(
    ({ broken, ofEvents, apart }) => broken.length === 0 && ofEvents && !apart,
  )
  say(
    `${found.length} mutants, ${missed.length} that change the events of one answer were not noticed`,
  )
  process.exitCode = originals.some(({ broken }) => broken.length > 0) ? 1 : 0
}

const write = (originals: readonly FileOutcome[], found: readonly FileOutcome[]) =>
  writeFileSync(join(root, 'selftest/files/mutants.md'), pageOfFiles(originals, found))

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
