import { dirname } from 'node:path'
import { equivalent } from './arguments.ts'
import type { Mutant } from './mutants.ts'
import { isKilled, type Outcome, type State, states } from './search.ts'

type Outcomes = ReadonlyMap<string, Outcome>

export type Found = {
  mutants: readonly Mutant[]
  outcomes: Outcomes
  steps: { recorded: number; of: number }
  seed: number
  /** how many lines can be changed */
  lines: number
  day: Date
}

/** The survivors that nobody has argued for. */
export const gapsIn = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter((each) => !isKilled(each) && equivalent[each.name] === undefined)

/** selftest/line-mutants.md: what became of each line that was changed. */
export function pageOf({ mutants, outcomes, steps, seed, lines, day }: Found): string {
  const known = mutants.flatMap(({ name }) => outcomes.get(name) ?? [])
  const seconds = Math.round(known.reduce((sum, each) => sum + each.seconds, 0))
  const rooms = [...new Set(mutants.map(({ file }) => dirname(file)))].sort()
  return [
    '# Line mutants of the deciding code',
    '',
    'Written by `npm run mutants -- --lines`; do not edit it. A line is changed in memory, one at a',
    'time: a condition is negated, a bound shifted, a call dropped, a function left at once, two',
    'arguments are swapped, a list is emptied. The tests and proofs that come by the line are run, the',
    'nearest first, until one is red.',
    '',
    `Written on ${day.toISOString().slice(0, 10)}. ${lines} lines can be changed; ${mutants.length} are, chosen by`,
    `seed ${seed}. ${steps.recorded} of ${steps.of} files of tests and proofs were recorded. The mutants took ${seconds} s of runs.`,
    '',
    '- killed: a test or a proof is red that is green without it',
    '- late: a test or a proof no longer ends; it counts as killed',
    '- survived: all that were tried are green, of so many as come by; with more time it meets more',
    '- unreached: nothing of what was recorded comes by the line; it counts as survived',
    '- text: the digest of the module; with another one its mutants are tried again',
    '',
    '## Totals',
    '',
    line('', 'mutants', ...states, 'not tried yet', 'killed, of those tried', 'argued'),
    line('---', ...Array.from({ length: states.length + 4 }, () => '---:')),
    totalsOf('all', mutants, outcomes),
    ...rooms.map((room) =>
      totalsOf(
        `\`${room}\``,
        mutants.filter(({ file }) => dirname(file) === room),
        outcomes,
      ),
    ),
    '',
    '## Survivors',
    '',
    ...survivorsOf(mutants, outcomes),
    '',
    '## Outcomes',
    '',
    line('mutant', 'line', 'state', 'by', 'tried', 'seconds', 'text', 'met'),
    line('---', '---:', '---', '---', '---:', '---:', '---', '---'),
    ...mutants.map((mutant) => rowOf(mutant, outcomes.get(mutant.name))),
    '',
  ].join('\n')
}

const line = (...cells: (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`
const cell = (value: string | number) => String(value).replaceAll('|', '\\|').replaceAll('\n', ' ')
const coded = (text: string) => `\`\` ${text} \`\``

function totalsOf(title: string, mutants: readonly Mutant[], outcomes: Outcomes): string {
  const known = mutants.flatMap(({ name }) => outcomes.get(name) ?? [])
  const count = (state: State) => known.filter((each) => each.state === state).length
  const killed = known.filter(isKilled).length
  const share = known.length === 0 ? '' : `${Math.round((100 * killed) / known.length)} %`
  const argued = known.filter((each) => !isKilled(each)).length - gapsIn(known).length
  return line(
    title,
    mutants.length,
    ...states.map(count),
    mutants.length - known.length,
    share,
    argued,
  )
}

function survivorsOf(mutants: readonly Mutant[], outcomes: Outcomes): string[] {
  const found = mutants.flatMap((mutant) => {
    const outcome = outcomes.get(mutant.name)
    if (!outcome || isKilled(outcome)) return []
    const why = equivalent[mutant.name]
    return `- ${coded(mutant.name)} (line ${mutant.line}, ${outcome.state}): ${why ?? '**gap**'}`
  })
  return found.length > 0 ? found : ['None.']
}

function rowOf({ name, line: at }: Mutant, outcome: Outcome | undefined): string {
  if (!outcome) return line(coded(name), at, 'not tried yet', '', '', '', '', '')
  const { state, by = '', tried, of, seconds, digest, met } = outcome
  return line(coded(name), at, state, by, `${tried} of ${of}`, seconds, digest, met)
}

/** What a page says of the mutants that were tried. */
export function toldIn(page: string): Outcome[] {
  const rows = page.matchAll(
    /^\| `` (.+) `` \| \d+ \| (\w+) \| (.*) \| (\d+) of (\d+) \| ([\d.]+) \| (\w+) \| (\w+) \|$/gm,
  )
  return [...rows].flatMap((row) => {
    const [name = '', told, by = '', tried, of, seconds, digest = '', met = ''] = row
      .slice(1)
      .map((each) => each.replaceAll('\\|', '|'))
    const state = states.find((each) => each === told)
    if (!state) return []
    const counts = { tried: Number(tried), of: Number(of), seconds: Number(seconds) }
    return [{ name, state, ...(by ? { by } : {}), ...counts, digest, met }]
  })
}
