// The matrix as a text that a person reviews: the usual verdict of each clause, then a line for each target whose
// verdicts differ. A glob means all clauses of a run that it matches.
import { grouped } from '../../engine/grouped.ts'

/** The result of each run: by target and clause, the verdict and a digest of the observed value. */
export type Matrix = ReadonlyMap<string, string>

const between = ' :: '

/** The clauses that say the same: `said: globs`. */
type Group = { said: string; globs: RegExp[] }

/** What is usual, and by target what is not. */
export type GoldenText = { usual: string[]; lines: Map<string, string> }

const regexes = new Map<string, RegExp>()
function regexOf(glob: string): RegExp {
  const known = regexes.get(glob)
  if (known) return known
  const made = new RegExp(`^${glob.replace(/[.()]/g, '\\$&').replaceAll('*', '.*')}$`)
  regexes.set(glob, made)
  return made
}

/** The globs that match no other of the clauses: the widest first. */
function globsOf(chosen: readonly string[], ran: readonly string[]): string[] {
  const isChosen = new Set(chosen)
  const left = new Set(chosen)
  const wider = (id: string) => {
    const parts = id.split('.')
    return parts.flatMap((_, at) => [
      [...parts.slice(0, at), '*'].join('.'),
      parts.with(at, '*').join('.'),
    ])
  }
  const globs = [...new Set(chosen.length < 3 ? [] : chosen.flatMap(wider))]
    .map((glob) => ({ glob, matched: ran.filter((id) => regexOf(glob).test(id)) }))
    .filter(({ matched }) => matched.length > 2 && matched.every((id) => isChosen.has(id)))
    .sort((a, b) => b.matched.length - a.matched.length)
    .flatMap(({ glob, matched }) => {
      if (matched.filter((id) => left.has(id)).length < 3) return []
      for (const id of matched) left.delete(id)
      return [glob]
    })
  return [...globs, ...left].sort()
}

function partsOf(said: ReadonlyMap<string, string>, ran: readonly string[]): string[] {
  const groups = grouped([...said.keys()].sort(), (clause) => said.get(clause) ?? '')
  return [...groups].sort().map(([each, ids]) => `${each}: ${globsOf(ids, ran).join(' ')}`)
}

const groupOf = (part: string): Group => {
  const at = part.lastIndexOf(': ')
  const globs = part.slice(at + 2).split(' ')
  return { said: part.slice(0, at), globs: globs.map(regexOf) }
}

const saidIn = (groups: readonly Group[], clause: string) =>
  groups.find(({ globs }) => globs.some((glob) => glob.test(clause)))?.said

/** What each target said, by clause. */
function byTarget(matrix: Matrix): Map<string, Map<string, string>> {
  const all = new Map<string, Map<string, string>>()
  for (const [key, said] of matrix) {
    const [target = '', clause = ''] = key.split('\t')
    const of = all.get(target) ?? new Map<string, string>()
    all.set(target, of.set(clause, said))
  }
  return all
}

/** What each clause says most often. */
function usualOf(targets: Iterable<ReadonlyMap<string, string>>): Map<string, string> {
  const rows = [...targets].flatMap((said) => [...said])
  const most = (all: readonly (readonly [string, string])[]) => {
    const counts = [...grouped(all, ([, said]) => said)]
    return counts.sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1))[0]?.[0] ?? ''
  }
  return new Map([...grouped(rows, ([clause]) => clause)].map(([id, all]) => [id, most(all)]))
}

/** `before`: what it says of other targets stays, and what is usual. */
export function goldenOf(matrix: Matrix, before?: GoldenText): GoldenText {
  const targets = byTarget(matrix)
  const known = before?.usual.map(groupOf)
  const counted = usualOf(targets.values())
  const usual = (clause: string) => (known ? saidIn(known, clause) : counted.get(clause))
  const lines = new Map(before?.lines)
  for (const [target, said] of targets) {
    const apart = new Map([...said].filter(([clause, each]) => usual(clause) !== each))
    lines.set(target, partsOf(apart, [...said.keys()]).join('; '))
  }
  return { usual: before?.usual ?? partsOf(counted, [...counted.keys()]), lines }
}

/** The matrix of a text; `ran`: the clauses of each target, as it leaves out what is usual. */
export function matrixOf(golden: GoldenText, ran: ReadonlyMap<string, readonly string[]>): Matrix {
  const usual = golden.usual.map(groupOf)
  return new Map(
    [...ran].flatMap(([target, clauses]) => {
      const line = golden.lines.get(target) ?? ''
      const apart = line === '' ? [] : line.split('; ').map(groupOf)
      return clauses.flatMap((clause) => {
        const said = saidIn(apart, clause) ?? saidIn(usual, clause)
        return said === undefined ? [] : [[`${target}\t${clause}`, said] as const]
      })
    }),
  )
}

export function write({ usual, lines }: GoldenText): string {
  const others = [...lines].filter(([, line]) => line !== '').sort()
  return `${[...usual, '', ...others.map((each) => each.join(between))].join('\n')}\n`
}

export function read(text: string): GoldenText {
  const [usual = '', others = ''] = text.split('\n\n')
  const lines = others.split('\n').flatMap((line) => {
    const at = line.indexOf(between)
    return at < 0 ? [] : [[line.slice(0, at), line.slice(at + between.length)] as const]
  })
  return { usual: usual.split('\n'), lines: new Map(lines) }
}
