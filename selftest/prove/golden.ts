// The verdict of each clause on each fault and variant, as selftest/golden.txt has it: its diff is what a reviewer reads.
//   golden           says what differs        golden write   writes what was said
//   golden again     runs once more: what differs is left out from then on
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { matchesAny } from '../../engine/glob.ts'
import { grouped } from '../../engine/grouped.ts'
import { isOwed } from '../../engine/run/report.ts'
import { suite } from '../../program/clauses.ts'
import {
  type GoldenText,
  goldenOf,
  keyOf,
  type Matrix,
  matrixOf,
  read,
  verdictsIn,
  write,
} from '../golden/text.ts'
import { root } from '../kept.ts'
import { runClauses } from '../proofs/prove.ts'
import { type Proof, proofs } from '../proofs/trials.ts'
import { type Flags, type Kind, Refused, say, type Wrong, wrongOf } from './kind.ts'

const file = join(root, 'selftest/golden.txt')

type Row = [key: string, said: string]

export const golden: Kind<number, Row[]> = {
  sources: ['selftest/golden'],
  wordsOf: (words) => words.filter((each) => each === 'again'),
  act: async (at, { everything, seeds: [seed = 1] }) => {
    process.env.SCHEDULE = String(seed)
    return (targetsOf(everything)[at] as Target).run()
  },
  nameOf: (at, { everything }) => targetsOf(everything)[at]?.name ?? '',
  async prove(flags, tryAll) {
    const [word = 'compare'] = flags.words
    if (!['compare', 'write', 'again'].includes(word))
      throw new Refused(`say golden, golden write or golden again, not golden ${word}`)
    if (word !== 'write' && !existsSync(file))
      throw new Refused('selftest/golden.txt is not there: npm run prove -- golden write makes it')
    const targets = targetsOf(flags.everything)
    const names = new Set(targets.map(({ name }) => name))
    const isMeant = ({ name, areas }: Target) =>
      matchesAny(
        `${name} ${areas}`,
        flags.only.map((each) => `${each}*`),
      )
    const tasks = [...targets.keys()].filter((at) => isMeant(targets[at] as Target))
    if (tasks.length === 0)
      throw new Refused(`no target has a name like ${flags.only.join(' or ')}`)
    const rows: Row[] = []
    let ended = 0
    await tryAll(tasks, (_, told) => {
      ended += 1
      rows.push(...told)
    })
    // A text of a part would drop the rows of all others.
    if (ended < tasks.length)
      throw new Refused(
        `${tasks.length - ended} of ${tasks.length} runs gave no verdicts: start it again`,
      )
    const now: Matrix = new Map(rows)
    const text = existsSync(file) ? read(readFileSync(file, 'utf8')) : undefined
    const before = text ? matrixOf(text, clausesIn(now)) : now
    const changes = changesBetween(before, now, targets)
    for (const line of describeChanges(changes)) say(line)
    if (word !== 'compare') {
      const isWhole = tasks.length === targets.length
      const rows = steadyRowsOf(now, before, word === 'again' ? changes : [])
      save(
        goldenOf(rows, isWhole ? undefined : text, {
          isTarget: (name) => names.has(name),
          isClause,
        }),
      )
    }
    return {
      wrong: wrongIn(wrongChanges(word, changes), flags),
      figure: `${now.size} verdicts on ${tasks.length} faults and variants, ${changes.length} changed`,
    }
  },
}

const isClause = (id: string) => id === '(end)' || suite.some((clause) => clause.id === id)

function clausesIn(matrix: Matrix): Map<string, string[]> {
  const byTarget = grouped(verdictsIn(matrix), ({ target }) => target)
  return new Map([...byTarget].map(([target, all]) => [target, all.map(({ clause }) => clause)]))
}

/** What differs between two runs of one commit stays marked. */
function steadyRowsOf(now: Matrix, before: Matrix, differing: readonly Change[]): Matrix {
  const keysThatDiffer = new Set(differing.map(({ target, clause }) => keyOf(target, clause)))
  const isUnsteady = (key: string) => before.get(key) === varies || keysThatDiffer.has(key)
  return new Map([...now].map(([key, verdict]) => [key, isUnsteady(key) ? varies : verdict]))
}

function save(golden: GoldenText): void {
  writeFileSync(file, write(golden))
}

/** A line for each change, under its kind and its clause: what no text may say stands first. */
function describeChanges(changes: readonly Change[]): string[] {
  const kinds = [...grouped(changes, ({ kind }) => kind)]
  const forbiddenFirst = kinds.sort(
    ([, [change]], [, [other]]) => Number(isForbidden(other)) - Number(isForbidden(change)),
  )
  return forbiddenFirst.flatMap(([kind, ofKind]) => [
    `${kind}: ${ofKind.length}`,
    ...ofKind
      .toSorted((change, other) => change.clause.localeCompare(other.clause))
      .map(
        ({ target, clause, from, to }) =>
          `  ${target} · ${clause} · ${from || 'nothing'} → ${to || 'nothing'}`,
      ),
  ])
}

function wrongChanges(word: string, changes: readonly Change[]): readonly Change[] {
  if (word === 'again') return []
  return word === 'write' ? changes.filter(isForbidden) : changes
}

const wrongIn = (changes: readonly Change[], flags: Flags): Wrong[] =>
  [...grouped(changes, ({ target }) => target)].map(([target, ofTarget]) => {
    const kinds = [...new Set(ofTarget.map(({ kind }) => kind))]
    const clauses = ofTarget.map(({ clause }) => clause).join(', ')
    return wrongOf(
      flags,
      [target, `${target} (${kinds.join(', ')})`],
      'the verdicts of selftest/golden.txt',
      `others of ${clauses}: see the lines above`,
    )
  })

// What the matrix is made of: each target, and what one run of it says.

/** A proof and what a run of it says; `areas` tells proofs of one name apart. */
export type Target = {
  name: string
  areas: string
  proof: Proof
  run(): Promise<[key: string, said: string][]>
}

/** Every fault and variant with the clauses of its area, or with all. */
export function targetsOf(everything: boolean): Target[] {
  const counts = grouped(proofs, ({ name }) => name)
  return proofs.map((proof) => {
    const areas = `[${proof.by.join(' ')}]`
    const isAlone = counts.get(proof.name)?.length === 1
    const name = isAlone ? proof.name : `${proof.name} ${areas}`
    return { name, areas, proof, run: () => rowsOf(name, proof, everything) }
  })
}

async function rowsOf(
  name: string,
  { by, bent }: Proof,
  everything: boolean,
): Promise<[key: string, said: string][]> {
  const isOfExport = by.some((each) => each.startsWith('export'))
  const few = everything && !isOfExport ? { events: 200 } : {}
  const { exitCode, report } = await runClauses({ ...few, ...bent }, everything ? [] : by)
  const left = (report?.residue ?? []).filter(isOwed).length
  const end = left === 0 ? `exit ${exitCode}` : `exit ${exitCode} with ${left} tasks left changed`
  return [
    [`${name}\t(end)`, end],
    ...(report?.clauses ?? []).map(({ id, verdict, cause = '', observed }): [string, string] => [
      `${name}\t${id}`,
      `${verdict} ${verdict === 'observed' ? digestOf(observed) : cause}`.trim(),
    ]),
  ]
}

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)

/** Whether a clause has to find the breach of this fault. */
function isOwner({ bent, isVariant }: Proof, clause: string): boolean {
  if (isVariant) return false
  const named = 'breaks' in bent ? bent.breaks : 'blames' in bent ? bent.blames : []
  return matchesAny(clause, named as string[])
}

// How two matrices differ, by kinds of change.

/** Replaces a verdict that differs between two runs of one commit. */
const varies = '(varies)'

type Change = { kind: string; target: string; clause: string; from: string; to: string }

/** The differences between two matrices, without pairs that differ from run to run. */
function changesBetween(before: Matrix, now: Matrix, targets: readonly Target[]): Change[] {
  const proofs = new Map(targets.map(({ name, proof }) => [name, proof]))
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((key) => {
    const [target = '', clause = ''] = key.split('\t')
    const [from = '', to = ''] = [before.get(key), now.get(key)]
    const proof = proofs.get(target)
    if (from === to || from === varies || !proof) return []
    return [{ kind: kindOf(clause, from, to, proof), target, clause, from, to }]
  })
}

function kindOf(clause: string, from: string, to: string, proof: Target['proof']): string {
  const isFound = (said: string) => /^(fail|warn)/.test(said)
  const isSkip = (said: string) => said.startsWith('skip')
  if (proof.isVariant && to.startsWith('fail')) return 'a variant is failed'
  if (proof.isVariant && to.startsWith('warn')) return 'a variant is warned of'
  if (isFound(from) && !isFound(to) && isOwner(proof, clause))
    return 'an owner no longer finds its breach'
  if (to === '') return 'gone'
  if (from === '') return 'new'
  if (isSkip(from) && isSkip(to)) return 'another cause of a skip'
  if (from.startsWith('observed') && to.startsWith('observed')) return 'another observed value'
  if (clause === '(end)') return 'other'
  if (proof.isVariant) return isSkip(to) ? 'undecided on a variant' : 'other'
  return isFound(to) ? 'found on a fault' : 'another clause on a fault'
}

const forbiddenKinds = ['an owner no longer finds its breach', 'a variant is failed']

/** What no text may say: a lost owner, and a lawful variant that is failed. */
const isForbidden = (change: Change | undefined): boolean =>
  change !== undefined && forbiddenKinds.includes(change.kind)
