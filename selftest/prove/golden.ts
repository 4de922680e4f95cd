// The verdict of each clause on each fault and variant, as selftest/golden.txt has it: its diff is what a reviewer reads.
//   golden           says what differs        golden write   writes what was said
//   golden again     runs once more: what differs is left out from then on
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { matchesAny } from '../../engine/glob.ts'
import { grouped } from '../../engine/grouped.ts'
import {
  type Change,
  changesBetween,
  isForbidden,
  type Matrix,
  type Target,
  targetsOf,
  varies,
} from '../golden/matrix.ts'
import { type GoldenText, goldenOf, matrixOf, read, write } from '../golden/text.ts'
import { root } from '../kept.ts'
import { again, type Flags, type Kind, Refused, say, type Wrong } from './kind.ts'

const file = join(root, 'selftest/golden.txt')

type Row = [key: string, said: string]

export const golden: Kind<number, Row[]> = {
  sources: ['selftest/golden'],
  wordsOf: (words) => words.filter((each) => each === 'again'),
  act: async (at, { everything, seeds: [seed = 1] }) => {
    process.env.SCHEDULE = String(seed)
    return (targetsOf(everything)[at] as Target).run()
  },
  async prove(flags, tryAll) {
    const [word = 'compare'] = flags.words
    if (!['compare', 'write', 'again'].includes(word))
      throw new Refused(`say golden, golden write or golden again, not golden ${word}`)
    if (word !== 'write' && !existsSync(file))
      throw new Refused('selftest/golden.txt is not there: npm run prove -- golden write makes it')
    const targets = targetsOf(flags.everything)
    const isMeant = ({ name, areas }: Target) =>
      matchesAny(
        `${name} ${areas}`,
        flags.only.map((each) => `${each}*`),
      )
    const tasks = [...targets.keys()].filter((at) => isMeant(targets[at] as Target))
    if (tasks.length === 0)
      throw new Refused(`no target has a name like ${flags.only.join(' or ')}`)
    const rows: Row[] = []
    const lost = await tryAll(tasks, (_, told) => void rows.push(...told))
    const now: Matrix = new Map(rows)
    const text = existsSync(file) ? read(readFileSync(file, 'utf8')) : undefined
    const before = text ? matrixOf(text, clausesIn(now)) : now
    const changes = changesBetween(before, now, targets)
    if (word !== 'compare')
      save(now, before, changes, tasks.length < targets.length ? text : undefined, word)
    const told = word === 'write' ? changes.filter(isForbidden) : word === 'again' ? [] : changes
    const wrong = [
      ...lost.map((at) => ({
        what: targets[at]?.name ?? '',
        expected: 'a result',
        got: 'its process ended',
        again: again(flags, targets[at]?.name ?? ''),
      })),
      ...wrongIn(told, flags),
    ]
    for (const [kind, all] of grouped(changes, (each) => each.kind)) say(`${kind}: ${all.length}`)
    return {
      wrong,
      figure: `${now.size} verdicts on ${tasks.length} faults and variants, ${changes.length} changed`,
    }
  },
}

function clausesIn(matrix: Matrix): Map<string, string[]> {
  const keys = [...matrix.keys()].map((key) => key.split('\t') as [string, string])
  const byTarget = grouped(keys, ([target]) => target)
  return new Map([...byTarget].map(([target, all]) => [target, all.map(([, clause]) => clause)]))
}

/** What differs between two runs of one commit stays marked. */
function save(
  now: Matrix,
  before: Matrix,
  changes: Change[],
  others: GoldenText | undefined,
  word: string,
) {
  const differs = new Set(changes.map(({ target, clause }) => `${target}\t${clause}`))
  const said = (key: string, each: string) =>
    before.get(key) === varies || (word === 'again' && differs.has(key)) ? varies : each
  const rows = new Map([...now].map(([key, each]) => [key, said(key, each)]))
  writeFileSync(file, write(goldenOf(rows, others)))
}

const wrongIn = (changes: readonly Change[], flags: Flags): Wrong[] =>
  [...grouped(changes, ({ target }) => target)].map(([target, all]) => ({
    what: `${target} (${[...new Set(all.map(({ kind }) => kind))].join(', ')})`,
    expected: all.map(({ clause, from }) => `${clause}: ${from || 'nothing'}`).join('; '),
    got: all.map(({ clause, to }) => `${clause}: ${to || 'nothing'}`).join('; '),
    again: again(flags, target),
  }))
