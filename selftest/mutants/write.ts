import { matchesAny } from '../../engine/glob.ts'
import { lawful } from './arguments.ts'
import type { Operator } from './operators/operator.ts'
import { type Outcome, type Rank, ranks } from './outcome.ts'

type Outcomes = ReadonlyMap<string, Outcome>

/** The sentence that makes a mutant lawful; an id says more than a glob. */
export const argumentFor = (id: string): string | undefined =>
  lawful[id] ?? Object.entries(lawful).find(([glob]) => matchesAny(id, [glob]))?.[1]

/** The survivors that nobody has argued for. */
export const gapsIn = <O extends Pick<Outcome, 'id' | 'rank'>>(outcomes: readonly O[]): O[] =>
  outcomes.filter(({ id, rank }) => rank === 'survived' && argumentFor(id) === undefined)

/** Arguments for mutants that there are none of. */
export const unknownArguments = (operators: readonly Operator[]): string[] =>
  Object.keys(lawful).filter((glob) => !operators.some(({ id }) => matchesAny(id, [glob])))

/** reports/mutants.md: the list of operators with what became of each. */
export function pageOf(operators: readonly Operator[], outcomes: Outcomes): string {
  const known = operators.flatMap(({ id }) => outcomes.get(id) ?? [])
  const commits = groups(known, ({ commit }) => commit)
  return [
    '# Mutants of the reference service',
    '',
    'Written by `npm run mutants`; the list is `selftest/mutants/operators.ts`. A proxy in front of',
    'the reference service applies one operator to every fitting request or answer of one operation.',
    'The list was made from the contract and from the published operators for recorded HTTP answers',
    'and REST requests, before anybody looked at a clause; what changed since is said there.',
    '',
    `Run at ${commits.map(([commit, some]) => `${commit} (${some.length})`).join(', ')}.`,
    '',
    '- killed: exit 1, and the musts that failed',
    '- stopped: exit 2 or 3, and why',
    '- warned: exit 0, and the shoulds that warned',
    '- observed: only an observed value differs from that of the reference service',
    '- survived: nothing differs; why that is lawful, or a gap',
    '- applied: how often the operator changed something in the run',
    '',
    '## Totals',
    '',
    ...totals(known),
    '',
    ...families(operators, outcomes),
    '',
    '## Survivors',
    '',
    ...survivors(operators, known),
    '',
    '## Outcomes',
    '',
    '| mutant | what it does | applied | outcome | by | no longer decided |',
    '| --- | --- | --- | --- | --- | --- |',
    ...operators.map((operator) => row(operator, outcomes.get(operator.id))),
    '',
  ].join('\n')
}

/** In the order in which they come. */
const groups = <T>(list: readonly T[], of: (one: T) => string): [string, T[]][] =>
  [...new Set(list.map(of))].map((name) => [name, list.filter((one) => of(one) === name)])

const count = (known: readonly Outcome[], rank: Rank) =>
  known.filter((outcome) => outcome.rank === rank).length

const totals = (known: readonly Outcome[]) => [
  `| mutants | ${ranks.join(' | ')} | gaps |`,
  `| ---: |${' ---: |'.repeat(ranks.length + 1)}`,
  `| ${[known.length, ...ranks.map((rank) => count(known, rank)), gapsIn(known).length].join(' | ')} |`,
]

function families(operators: readonly Operator[], outcomes: Outcomes): string[] {
  const rows = groups(operators, ({ family }) => family).map(([family, some]) => {
    const known = some.flatMap(({ id }) => outcomes.get(id) ?? [])
    return `| ${[family, some.length, ...ranks.map((rank) => count(known, rank))].join(' | ')} |`
  })
  return [
    `| family | mutants | ${ranks.join(' | ')} |`,
    `| --- | ---: |${' ---: |'.repeat(ranks.length)}`,
    ...rows,
  ]
}

function survivors(operators: readonly Operator[], known: readonly Outcome[]): string[] {
  const whatOf = new Map(operators.map(({ id, what }) => [id, what]))
  const list = known.filter(({ rank }) => rank === 'survived')
  if (list.length === 0) return ['None.']
  return list.map(({ id }) => {
    const argument = argumentFor(id)
    return `- \`${id}\` ${whatOf.get(id)}: ${argument === undefined ? '**gap**' : `lawful. ${argument}`}`
  })
}

function row({ id, what }: Operator, outcome: Outcome | undefined): string {
  const { applied = '', rank = 'not run', by = [], undecided = [] } = outcome ?? {}
  return `| ${[`\`${id}\``, what, applied, rank, short(by), short(undecided)].map(cell).join(' | ')} |`
}

const most = 4
const short = (list: readonly string[]) =>
  list.slice(0, most).join(', ') + (list.length > most ? ` and ${list.length - most} more` : '')
const cell = (value: string | number) => String(value).replaceAll('|', '\\|').replaceAll('\n', ' ')
