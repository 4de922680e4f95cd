// npm run mutate -- --python --sample 50 --seed 1
// The service in Python, changed in one place as stock mutation tools do, met by all clauses. A mutant is
// silent if the run ends with 0, warns of nothing and observes nothing else than of the service itself.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { meet, plain } from './meet.ts'

const own = join(import.meta.dirname, 'service')
const mutate = join(import.meta.dirname, 'mutate.py')

const placesOf = (): string[] =>
  JSON.parse(execFileSync('python3', [mutate, own], { encoding: 'utf8' }))

type MutantRun = Awaited<ReturnType<typeof meet>>

/** What was observed, by clause; of the others, whether they were decided. */
const observedIn = ({ report }: MutantRun) =>
  new Map(
    report?.clauses.map(({ id, level, verdict, observed }) => [
      id,
      level === 'observe' ? `${verdict} ${JSON.stringify(observed)}` : verdict,
    ]) ?? [],
  )

/** One place changed in a copy; undefined if that does not start. */
async function meetMutant(number: number): Promise<MutantRun | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'))
  try {
    cpSync(own, join(folder, 'service'), { recursive: true })
    execFileSync('python3', [mutate, join(folder, 'service'), String(number)])
    return await meet(plain, [], folder)
  } catch (error) {
    if (error instanceof Error && error.message === 'the service in Python ended') return undefined
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Meets some of the mutants, and says how each ended. */
export async function runPython(drawn: (list: readonly number[]) => number[]): Promise<number> {
  const places = placesOf()
  const numbers = drawn([...places.keys()])
  const [once, twice] = [observedIn(await meet(plain)), observedIn(await meet(plain))]
  const steady = [...once].filter(([id, value]) => twice.get(id) === value).map(([id]) => id)
  const counts: Record<string, number> = {}
  for (const number of numbers) {
    const met = await meetMutant(number)
    const observed = met && observedIn(met)
    const other = steady.filter((id) => observed?.get(id) !== once.get(id))
    const [rank, by] = !met
      ? ['does not start', []]
      : met.exitCode !== 0
        ? [`ends with ${met.exitCode}`, met.broken]
        : met.broken.length > 0
          ? ['warned of', met.broken]
          : other.length > 0
            ? ['observed', other]
            : ['silent', []]
    counts[rank] = (counts[rank] ?? 0) + 1
    process.stdout.write(`${rank}: ${places[number]} (${by.slice(0, 3).join(', ')})\n`)
  }
  process.stdout.write(
    `${places.length} places, ${numbers.length} drawn: ${JSON.stringify(counts)}\n`,
  )
  return 0
}
