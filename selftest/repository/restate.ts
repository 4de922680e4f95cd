// npm run restate   after an edit of helpers/contract/contract.md: quotes and statements say what it says now
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { distance } from '../../engine/nearest.ts'
import { versions } from '../../helpers/settings/versions.ts'
import { suite } from '../../program/clauses.ts'
import { blocksIn, type Unit, unitsIn } from '../../reporting/parts/contract-text.ts'
import { root } from '../kept.ts'
import { tree } from './tree.ts'

const contractFile = 'helpers/contract/contract.md'
const quotesFile = 'helpers/contract/sentences.ts'
const changesFile = 'CHANGELOG.md'

const version = versions.at(-1)

type Change = { from: Unit; to: Unit }

type Restated = {
  /** the files that changed */
  files: string[]
  /** sentences and rows of the contract that no former one is like */
  added: Unit[]
  /** each number that another replaces */
  numbers: [from: string, to: string][]
}

const unitsOf = (contract: string): Unit[] => blocksIn(contract).flatMap(unitsIn)

/** Writes what the contract says now into the quotes and statements of a folder. */
export function restateIn(folder: string, before: string): Restated {
  const now = readFileSync(join(folder, contractFile), 'utf8')
  const { changes, added: others } = changesBetween(unitsOf(before), unitsOf(now))
  const quotes = readFileSync(join(folder, quotesFile), 'utf8')
  const rows = rowsAmong(others, { units: unitsOf(now), quotes })
  const added = others.filter((unit) => !rows.some(({ row }) => row === unit))
  const numbers = numbersReplaced(changes, now)
  const restated = (file: string, text: string) => {
    if (file === quotesFile) return withRows(requoted(text, changes), rows)
    return file === changesFile ? withNews(text, numbers) : withNumbers(text, numbers)
  }
  const isStating = (file: string) =>
    [quotesFile, changesFile].includes(file) || /^suites\/.*\.ts$/.test(file)
  const files = tree.filter(isStating).filter((file) => {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    const after = restated(file, text)
    if (after !== text) writeFileSync(path, after)
    return after !== text
  })
  return { files, added, numbers }
}

/** A former sentence or row, and the one under the same heading that is most like it. */
function changesBetween(before: readonly Unit[], now: readonly Unit[]) {
  const isIn = (units: readonly Unit[], unit: Unit) =>
    units.some(({ heading, text }) => heading === unit.heading && text === unit.text)
  const gone = before.filter((unit) => !isIn(now, unit))
  const added = now.filter((unit) => !isIn(before, unit))
  const changes: Change[] = []
  for (const from of gone) {
    const free = added.filter((unit) => !changes.some(({ to }) => to === unit))
    const [to] = free
      .filter(({ heading, text }) => heading === from.heading && isLike(text, from.text))
      .toSorted((a, b) => distance(a.text, from.text) - distance(b.text, from.text))
    if (to) changes.push({ from, to })
  }
  return { changes, added: added.filter((unit) => !changes.some(({ to }) => to === unit)) }
}

const isLike = (one: string, other: string): boolean =>
  distance(one, other) < Math.max(one.length, other.length) / 2

const numbersIn = (text: string): string[] => text.match(/\d[\d,]*\b/g) ?? []

/** Not one that the contract still states elsewhere: there it has its former meaning. */
function numbersReplaced(changes: readonly Change[], now: string): [string, string][] {
  const pairs = changes.flatMap(({ from, to }) => {
    const then = numbersIn(from.text)
    const today = numbersIn(to.text)
    if (then.length !== today.length) return []
    return then.map((number, at): [string, string] => [number, today[at] as string])
  })
  const isGone = (number: string) => !numbersIn(now).includes(number)
  const replaced = pairs.filter(([from, to]) => from !== to && isGone(from))
  return [...new Map(replaced)]
}

/** The table of quotes, each heading of it a part of the file. */
function requoted(table: string, changes: readonly Change[]): string {
  const parts = table.split(headings)
  const first = parts.findIndex((part) => headingOf(part) !== undefined)
  for (const change of changes) {
    const at = parts.findIndex((part) => headingOf(part) === change.from.heading)
    const place = at < 0 ? first : at
    parts[place] = withChange(parts[place] ?? '', change)
  }
  return parts.join('')
}

type AddedRow = { row: Unit; before: string }

/** Rows that belong to a quote of several rows: it shows the first cells of the row before them. */
function rowsAmong(
  added: readonly Unit[],
  { units, quotes }: { units: readonly Unit[]; quotes: string },
): AddedRow[] {
  const of = (heading: string) => quotes.split(headings).find((part) => headingOf(part) === heading)
  return added.flatMap((row) => {
    const at = units.findIndex(({ line, text }) => line === row.line && text === row.text)
    const before = firstCells(units[at - 1]?.text ?? '')
    const isQuoted = before !== '' && of(row.heading)?.includes(`… ${before}`)
    return isQuoted ? [{ row, before }] : []
  })
}

const firstCells = (row: string): string =>
  row.includes(' | ') ? row.split(' | ').slice(0, 2).join(' | ') : ''

function withRows(table: string, rows: readonly AddedRow[]): string {
  const parts = table.split(headings)
  for (const { row, before } of rows) {
    const at = parts.findIndex((part) => headingOf(part) === row.heading)
    const quote = `… ${before}`
    parts[at] = (parts[at] ?? '').replace(quote, `${quote} … ${firstCells(row.text)}`)
  }
  return parts.join('')
}

/** Before each heading of the table of quotes. */
const headings = /(?=^ {2}\S.*: \{$)/m

const headingOf = (part: string): string | undefined =>
  /^ {2}(\S.*): \{$/m.exec(part)?.[1]?.replace(/^'(.*)'$/, '$1')

/** A quote may leave out the beginning or the end of a unit: what surrounds the change finds it. */
function withChange(part: string, { from, to }: Change): string {
  const then = from.text.split(' ')
  const today = to.text.split(' ')
  let start = 0
  while (start < then.length && then[start] === today[start]) start += 1
  let end = 0
  const most = Math.min(then.length, today.length) - start
  while (end < most && then.at(-1 - end) === today.at(-1 - end)) end += 1
  for (let left = 0; left <= start; left += 1)
    for (let right = 0; right <= end; right += 1) {
      const old = then.slice(left, then.length - right).join(' ')
      if (old !== '' && part.includes(old))
        return part.replaceAll(old, today.slice(left, today.length - right).join(' '))
    }
  return part
}

const statement =
  /(?<before>(?:\b(?:must|should|reading):|\bconst statement =)\s+)(?<text>'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)/g

/** The statements of a suite with other numbers, each clause with the version of the change. */
function withNumbers(source: string, numbers: Restated['numbers']): string {
  let text = source
  for (const found of [...source.matchAll(statement)].reverse()) {
    const { before = '', text: words = '' } = found.groups ?? {}
    const today = replacedIn(words, numbers)
    if (today === words) continue
    const end = found.index + found[0].length
    const rest = before.startsWith('reading') ? text.slice(end) : withSince(before, text.slice(end))
    text = `${text.slice(0, found.index)}${before}${today}${rest}`
  }
  return text
}

/** The number, and the next one: 5,001 events are the first over a limit of 5,000. */
function replacedIn(words: string, numbers: Restated['numbers']): string {
  const next = (number: string) =>
    (Number(number.replaceAll(',', '')) + 1).toLocaleString(number.includes(',') ? 'en' : 'de-CH')
  const all = new Map(
    numbers.flatMap(([from, to]): [string, string][] => {
      const isLimit = from.includes(',')
      return isLimit
        ? [
            [from, to],
            [next(from), next(to)],
          ]
        : [[from, to]]
    }),
  )
  return words.replace(/\d[\d,]*\b/g, (number) => all.get(number) ?? number)
}

/** The clauses that count since this version, because they state another number. */
function withNews(changes: string, numbers: Restated['numbers']): string {
  const ids = suite
    .filter(({ level }) => level !== 'observe')
    .filter(({ statement: words }) => replacedIn(words, numbers) !== words)
    .map(({ id }) => `\`${id}\``)
  if (ids.length === 0) return changes
  const replaced = numbers.map(([from, to]) => `${to} in place of ${from}`).join(', ')
  return changes.replace(
    '## Unreleased\n\n',
    (heading) =>
      `${heading}- The contract says ${replaced}. Since ${version} count: ${ids.join(', ')}.\n`,
  )
}

/** What follows a statement, with `since`. */
function withSince(before: string, rest: string): string {
  const since = `since: '${version}',`
  const end = /^\s*\}\)/m.exec(rest)?.index ?? rest.length
  const clause = rest.slice(0, end)
  const later = rest.slice(end)
  if (/\bsince: '[^']*',/.test(clause)) return clause.replace(/\bsince: '[^']*',/, since) + later
  const isNamed = before.startsWith('const')
  return (
    (isNamed ? clause.replace(/\{\n/, `{\n${since}\n`) : clause.replace(',', `,\n${since}`)) + later
  )
}

function main(): void {
  const argv = ['show', `HEAD:${contractFile}`]
  const { files, added, numbers } = restateIn(
    root,
    execFileSync('git', argv, { cwd: root }).toString(),
  )
  const still = numbers.flatMap(([from, to]) => placesOf(from).map((place) => `${place} (${to}?)`))
  const lines = [
    ...files.map((file) => `changed  ${file}`),
    ...added.map(
      ({ line, text }) => `by hand  quote contract.md:${line} in ${quotesFile}: ${text}`,
    ),
    ...still.map((place) => `look at  ${place}`),
    'next: npm run fix, and npx vitest run selftest/repository -u, which names what is missing',
  ]
  console.log(lines.join('\n'))
}

/** Where people, the reference and other descriptions of the service still say a number. */
function placesOf(number: string): string[] {
  const stating = /^(?:reference|schemas|docs|selftest\/python-service)\/|^README|^\.env\.example/
  const form = new RegExp(`(?<![\\w,.])${number.replace(',', '[,_]?')}(?![\\w,.]\\d)(?!\\w)`)
  return tree
    .filter((file) => stating.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          form.test(line) ? `${file}:${at + 1}: ${line.trim().slice(0, 100)}` : [],
        ),
    )
}

if (process.argv[1] === import.meta.filename) main()
