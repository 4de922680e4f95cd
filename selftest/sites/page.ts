import { dirname } from 'node:path'
import { effects } from './judge.ts'
import type { Proof } from '../proofs/proofs.ts'
import { isSettled, openAmong, reasonFor, whyLost } from './reasons.ts'
import type { Recorded } from './record.ts'
import { type Outcome, type State, states } from './search.ts'
import type { Site } from './site.ts'
import type { Unsaid } from './unsaid.ts'

export type Findings = {
  sites: readonly Site[]
  outcomes: ReadonlyMap<string, Outcome>
  recorded: readonly [Proof, Recorded][]
  unsaid: readonly Unsaid[]
  /** how many proofs there are, recorded or not */
  proofs: number
  seconds: { recording: number; switching: number }
  day: Date
}

const notTried = 'not tried'
type Told = State | typeof notTried
const told: readonly Told[] = [...states, notTried]

/** selftest/proof.md: every site with its state and witness, by room. */
export function pageOf({
  sites,
  outcomes,
  recorded,
  unsaid,
  proofs,
  seconds,
  day,
}: Findings): string {
  const stateOf = ({ name }: Site): Told => outcomes.get(name)?.state ?? notTried
  const counted = (some: readonly Site[]) =>
    told.map((state) => some.filter((site) => stateOf(site) === state).length)
  const rooms = [...new Set(sites.map(({ file }) => dirname(file)))]
  const kinds = [...new Set(sites.map(({ kind }) => kind))]
  const tried = sites.flatMap(({ name }) => outcomes.get(name)?.commit ?? [])
  const open = openAmong(sites, (name) => outcomes.get(name)?.state)
  const row = (title: string, some: readonly Site[]) => line(title, some.length, ...counted(some))
  return [
    '# Every deciding line is proven needed',
    '',
    'Written by `npm run prove -- --sites`; do not edit it. A site is a place in the code that ends a',
    'clause or turns it. Each is switched off, one at a time, and the proofs in which it decided are',
    'run again, the nearest first.',
    '',
    `Written on ${day.toISOString().slice(0, 10)}, tried at ${countsOf(tried) || 'no commit yet'}. ${recorded.length} of ${proofs} proofs`,
    `were recorded at ${countsOf(recorded.map(([, { commit }]) => commit)) || 'no commit yet'}, which took ${Math.round(seconds.recording)} s of runs; the switches took ${Math.round(seconds.switching)} s.`,
    '',
    '- necessary: without it a fault is missed, a variant condemned or stopped, or the suite crashes',
    '- hollow: without it a clause that saw nothing passes; no proof is red, the verdict alone differs',
    '- mislabelled: without it a clause is left undecided as well, for another cause: the report asks other',
    '  people to act, or the run ends otherwise',
    '- tested: no proof provokes it, and without it a test is red: it takes a network that breaks, or',
    '  another writer',
    '- redundant: the sites that are named do the same, in every case that was tried',
    '- unproven: no proof provokes it, or nothing differs without it',
    '- unreached: it was off and never reached, a mistake of the tool',
    '',
    '## Totals',
    '',
    line('', 'sites', ...told),
    line('---', ...['sites', ...told].map(() => '---:')),
    row('all', sites),
    ...kinds.map((kind) =>
      row(
        kind,
        sites.filter((site) => site.kind === kind),
      ),
    ),
    ...rooms.map((room) =>
      row(
        `\`${room}\``,
        sites.filter(({ file }) => dirname(file) === room),
      ),
    ),
    '',
    `${open.length} of them are none of the first four, and no sentence keeps them`,
    '(`selftest/sites/reasons.ts`).',
    '',
    ...rooms.flatMap((room) => [
      `## ${room}`,
      '',
      line('site', 'line', 'kind', 'state', 'witness', 'tried', 'at'),
      line('---', '---:', '---', '---', '---', '---:', '---'),
      ...sites
        .filter(({ file }) => dirname(file) === room)
        .map((site) => rowOf(site, stateOf(site), outcomes.get(site.name))),
      '',
    ]),
    ...lossesOf(recorded),
    '',
    '## What no proof has said',
    '',
    'Sentences of clauses that stand in the code, and the test that has them said, where there is one:',
    'it takes a network that breaks, a password, or another run (`selftest/messages/said-by-tests.ts`).',
    '',
    line('kind', 'sentence', 'said by'),
    line('---', '---', '---'),
    ...unsaid.map(({ kind, text, test }) => line(kind, text, test ?? '**nothing yet**')),
    '',
  ].join('\n')
}

const line = (...cells: (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`
const cell = (value: string | number) => String(value).replaceAll('|', '\\|').replaceAll('\n', ' ')

/** How many are of which commit. */
const countsOf = (commits: readonly string[]): string =>
  [...new Set(commits)]
    .map((commit) => `${commit} (${commits.filter((each) => each === commit).length})`)
    .join(', ')

function rowOf(site: Site, state: Told, outcome: Outcome | undefined): string {
  const { tried = 0, of = 0, commit = '' } = outcome ?? {}
  const reason = isSettled(state) ? '' : (reasonFor(site.name) ?? '')
  const witness = [outcome ? witnessOf(outcome) : '', reason].filter(Boolean).join('; ')
  return line(`\`${site.name}\``, site.line, site.kind, state, witness, `${tried} of ${of}`, commit)
}

function witnessOf({ effect, clause, proof, test, others = [] }: Outcome): string {
  if (test) return `red: \`${test}\``
  if (others.length > 0) return others.map((other) => `\`${other}\``).join(', ')
  if (!proof) return ''
  return `${effect}${clause ? ` by \`${clause}\`` : ''}: “${proof}”`
}

/** Variants of which little is decided: this is where false comfort begins. */
function lossesOf(recorded: readonly [Proof, Recorded][]): string[] {
  const lossy = recorded.filter(
    ([{ isVariant }, { musts, lost }]) => isVariant && lost.length * 2 > musts,
  )
  const causesOf = (lost: Recorded['lost']) => {
    const causes = [...new Set(lost.map(([, cause]) => cause))]
    return causes
      .map((cause) => `${lost.filter(([, each]) => each === cause).length} ${cause}`)
      .join(', ')
  }
  return [
    '## What variants lose',
    '',
    'Variants in which more than half of the musts of their clauses are not decided, with the causes,',
    'and why no client could decide more.',
    '',
    line('variant', 'judged by', 'musts', 'not decided', 'causes', 'why'),
    line('---', '---', '---:', '---:', '---', '---'),
    ...lossy.map(([{ name, by }, { musts, lost }]) =>
      line(
        name.replace(/^variant /, ''),
        by.join(', '),
        musts,
        lost.length,
        causesOf(lost),
        whyLost(lost.map(([, cause]) => cause)),
      ),
    ),
  ]
}

/** The sites of a page, whether or not they were tried. */
export const namesIn = (page: string): string[] =>
  [...page.matchAll(/^\| `([^`]+ [^`]+)` \| \d+ \| \w+ \|/gm)].flatMap(([, name]) => name ?? [])

/** What a page says of the sites that were tried. */
export function toldIn(page: string): Outcome[] {
  const rows = page.matchAll(
    /^\| `([^`]+)` \| \d+ \| \w+ \| ([a-z]+) \| (.*) \| (\d+) of (\d+) \| (\S+) \|$/gm,
  )
  return [...rows].flatMap(([, site = '', told, witness = '', tried, of, commit = '']) => {
    const state = states.find((each) => each === told)
    if (!state) return []
    const found = { site, commit, state, tried: Number(tried), of: Number(of), seconds: 0 }
    return [{ ...found, ...witnessIn(witness.replaceAll('\\|', '|')) }]
  })
}

function witnessIn(text: string): Pick<Outcome, 'effect' | 'proof' | 'clause' | 'test' | 'others'> {
  const [, test] = /^red: `(.*)`$/.exec(text) ?? []
  if (test) return { test }
  const [, word, clause, proof] =
    /^(\w+)(?: by `([^`]+)`)?: “((?:fault|variant) .*)”/.exec(text) ?? []
  const effect = effects.find((each) => each === word)
  if (effect && proof) return { effect, proof, ...(clause ? { clause } : {}) }
  const named = text.startsWith('`') ? (text.split('; ')[0] ?? '') : ''
  const others = [...named.matchAll(/`([^`]+)`/g)].flatMap(([, other]) => other ?? [])
  return others.length > 0 ? { effect: 'same', others } : {}
}
