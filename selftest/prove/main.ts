// npm run prove                       every fault, variant and dead thing, with the clauses of its area
// npm run prove -- WHAT               faults | variants | dead     these alone
//                                     golden [write | again]       the verdict of each clause on each fault and variant
//                                     steady [curve]               many schedules against one service: no verdict flips
//                                     noticed [PROFILE]            how many faults and dead things a profile notices
//                                     repeats                      each script shows its breach
//                                     causes                       each fault is one group of broken clauses, and two faults are two
//                                     records write|replay DIR     recorded runs, and their replays with the code as it is
//                                     disarm                       each assertion and premise in turn does nothing
//   --only GLOB    of these names     --share 0.1   a part, drawn by --seed     --seed 7   what is drawn, and which answer comes first
//   --jobs 2       processes          --everything  with all clauses
// A start at the same commit goes on where the last one stopped. A whole run notes its figure in docs/how-it-is-proven.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../kept.ts'
import {
  doJobs,
  type Flags,
  isWorker,
  type Kind,
  Refused,
  say,
  tryingAll,
  wrongOf,
} from './kind.ts'

// biome-ignore lint/suspicious/noExplicitAny: each kind has tasks of its own
type AnyKind = Kind<any, any>

const kinds: Record<string, () => Promise<AnyKind>> = {
  all: async () => (await import('./proofs.ts')).proofsOf('fault', 'variant', 'dead thing'),
  faults: async () => (await import('./proofs.ts')).proofsOf('fault'),
  variants: async () => (await import('./proofs.ts')).proofsOf('variant'),
  dead: async () => (await import('./proofs.ts')).proofsOf('dead thing'),
  golden: async () => (await import('./golden.ts')).golden,
  steady: async () => (await import('./steady.ts')).steady,
  noticed: async () => (await import('./noticed.ts')).noticed,
  repeats: async () => (await import('./repeats.ts')).repeats,
  causes: async () => (await import('./causes.ts')).causes,
  records: async () => (await import('./records.ts')).records,
  disarm: async () => (await import('./disarm.ts')).disarm,
}

process.exitCode = await main()
if (!isWorker) process.exit()

async function main(): Promise<number> {
  try {
    const flags = flagsOf(process.argv.slice(2))
    const kind = await (kinds[flags.what] as () => Promise<AnyKind>)()
    if (isWorker) {
      doJobs((task) => kind.act(task, flags))
      return 0
    }
    return await prove(kind, flags)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    say(error.message)
    return 2
  }
}

function flagsOf(args: string[]): Flags {
  const { values, positionals } = parse(args)
  const [what = 'all', ...words] = positionals
  if (!Object.hasOwn(kinds, what))
    throw new Refused(
      `${what} is nothing that can be proven; say one of ${Object.keys(kinds).join(', ')}`,
    )
  const numberOf = (flag: 'share' | 'jobs', text: string) => {
    if (Number(text) > 0) return Number(text)
    throw new Refused(`--${flag} ${text} is not a number above 0`)
  }
  return {
    what,
    words,
    only: values.only,
    seeds: values.seed.map(Number),
    share: numberOf('share', values.share),
    jobs: numberOf('jobs', values.jobs),
    everything: values.everything,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        only: { type: 'string', multiple: true, default: ['*'] },
        seed: { type: 'string', multiple: true, default: [] as string[] },
        share: { type: 'string', default: '1' },
        jobs: { type: 'string', default: String(availableParallelism()) },
        everything: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new Refused((error as Error).message)
  }
}

async function prove(kind: AnyKind, flags: Flags): Promise<number> {
  const began = performance.now()
  const lost: never[] = []
  const { wrong: found, figure } = await kind.prove(flags, tryingAll(kind, flags, lost))
  const ended = lost.map((task) =>
    wrongOf(flags, [kind.nameOf(task, flags)], 'a result', 'its process ended'),
  )
  const wrong = [...found, ...ended]
  for (const { what, expected, got, again } of wrong)
    say(`WRONG  ${what}\n  expected: ${expected}\n  got: ${got}\n  again: ${again}`)
  const took = `${((performance.now() - began) / 60_000).toFixed(1)} min`
  say(`${figure}; ${wrong.length} wrong; ${took}`)
  const isWhole = flags.share === 1 && flags.only.join() === '*' && flags.seeds.length === 0
  if (isWhole) noteFigure(flags, `${figure}; ${wrong.length} wrong`, took)
  return wrong.length === 0 ? 0 : 1
}

/** Puts the figure of a whole run into the row of its command in docs/how-it-is-proven.md. */
function noteFigure({ what, words, everything }: Flags, figure: string, took: string): void {
  const argv = [
    ...(what === 'all' ? [] : [what]),
    ...words,
    ...(everything ? ['--everything'] : []),
  ]
  const command = `| \`${['npm run prove', ...(argv.length > 0 ? ['--'] : []), ...argv].join(' ')}\``
  const day = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  const page = join(root, 'docs/how-it-is-proven.md')
  const lines = readFileSync(page, 'utf8').split('\n')
  const noted = lines.map((line) => {
    const [told = ''] = line.split(' | ')
    return told.trim() === command ? `${command} | ${figure} | ${day}, ${took} |` : line
  })
  writeFileSync(page, noted.join('\n'))
}
