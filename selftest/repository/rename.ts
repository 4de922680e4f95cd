// npm run rename -- OLD NEW 'why'   gives a clause another id, and notes the former one in helpers/contract/former-ids.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formerIdOf } from '../../helpers/contract/former-ids.ts'
import { versions } from '../../helpers/settings/versions.ts'
import { profilesOf, suite } from '../../program/clauses.ts'
import { read as readGolden, write as writeGolden } from '../golden/text.ts'
import { root } from '../kept.ts'
import { read, tree } from './tree.ts'

type Renaming = { from: string; to: string; why: string }

const version = versions.at(-1)

/** History and lists of releases keep the id that a clause had then. */
const isHistory = (file: string): boolean =>
  file === 'CHANGELOG.md' || /^selftest\/(?:records\/kept|repository\/released)\//.test(file)

/** What a person writes or what is made from it; pictures and packages name no clause. */
const isText = (file: string): boolean => /\.(?:ts|mjs|json|jsonl|md|txt|ya?ml)$/.test(file)

const formerIdsFile = 'helpers/contract/former-ids.ts'

/** Why the clause cannot be renamed so; undefined: it can. */
export function whyNot({ from, to, why }: Renaming): string | undefined {
  const isClause = (id: string) => suite.some((clause) => clause.id === id)
  if (!isClause(from)) return `${from} is not the id of a clause.`
  if (isClause(to)) return `${to} is the id of a clause already.`
  if (formerIdOf(to)) return `${to} is a former id; an id is not used again.`
  if (!/^[a-z]+(?:\.[a-z][a-z0-9-]*)+$/.test(to))
    return `${to} is not an id; write words.in-lower-case.`
  if (!why) return "say why: npm run rename -- OLD NEW 'why'"
  return undefined
}

/** Renames a clause in the files of a folder; returns those that changed. */
export function renameIn(folder: string, renaming: Renaming): string[] {
  return tree.filter(isText).filter((file) => {
    const path = join(folder, file)
    const before = readFileSync(path, 'utf8')
    const after = renamedIn(file, before, renaming)
    if (after !== before) writeFileSync(path, after)
    return after !== before
  })
}

function renamedIn(file: string, text: string, renaming: Renaming): string {
  if (file === 'CHANGELOG.md') return withChange(text, renaming)
  if (file === formerIdsFile) return withFormerId(text, renaming)
  if (isHistory(file)) return text
  const renamed = text.replace(wholeId(renaming.from), renaming.to)
  return file === 'selftest/golden.txt' ? writeGolden(readGolden(renamed)) : renamed
}

/** Not where it is the beginning or the end of another id. */
const wholeId = (id: string): RegExp =>
  new RegExp(`(?<![\\w.*-])${id.replaceAll('.', '\\.')}(?![\\w*-]|\\.[\\w*])`, 'g')

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`

function withFormerId(text: string, { from, to, why }: Renaming): string {
  const row = `  '${from}': {\n    since: '${version}',\n    replacedBy: '${to}',\n    why: ${quoted(why)},\n  },\n`
  return text
    .replaceAll(`replacedBy: '${from}'`, `replacedBy: '${to}'`)
    .replace(/^export const formerIds.*\n/m, (line) => `${line}${row}`)
}

const withChange = (text: string, { from, to, why }: Renaming): string =>
  text.replace(
    '## Unreleased\n\n',
    (heading) => `${heading}- \`${from}\` is called \`${to}\` since ${version}: ${why}.\n`,
  )

/** What the command cannot do. */
function leftByHand({ from, to }: Renaming, changed: readonly string[]): string[] {
  // Another clause may name it, while its own id is put together.
  const isInSuites = changed.some(
    (file) => file.startsWith('suites/') && read(file).includes(`('${to}'`),
  )
  const lost = profilesOf(from).filter((name) => !profilesOf(to).includes(name))
  return [
    ...(isInSuites ? [] : placesToSearch(from)),
    ...lost.map((name) => `helpers/settings/profiles.ts: ${to} is not in the profile ${name}`),
  ]
}

/** Where the suites put the id together; without such a place, what to search for. */
function placesToSearch(id: string): string[] {
  const suites = tree.filter((file) => /^suites\/.*\.ts$/.test(file))
  const places = suites.flatMap((file) =>
    templatesOf(id, read(file)).map((template) => ({
      file,
      template,
      said: lettersSaid(template),
    })),
  )
  // A template that says less of the id makes other ids.
  const most = Math.max(...places.map(({ said }) => said))
  const likely = places.filter(({ said }) => said === most)
  return likely.length > 0
    ? likely.map(({ file, template }) => `${file}: \`${template}\` makes this id`)
    : [`suites: search for ${id.split('.').at(-1)}, the last part of the id`]
}

const lettersSaid = (template: string): number => template.replace(/\$\{[^}]*\}/g, '').length

/** The template literals of a source that can make the id; each names a part of it. */
export function templatesOf(id: string, source: string): string[] {
  const templates = Array.from(source.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g), ([, text = '']) => text)
  return [...new Set(templates)].filter((template) => {
    const words = template.split(/\$\{[^}]*\}/)
    const form = words.map((word) => word.replaceAll('.', '\\.')).join('[\\w.-]+')
    const isOfId = words.every((word) => /^[\w.-]*$/.test(word))
    return isOfId && words.some((word) => /[a-z]/.test(word)) && new RegExp(`^${form}$`).test(id)
  })
}

function main([from = '', to = '', ...words]: string[]): number {
  const renaming = { from, to, why: words.join(' ') }
  const mistake = whyNot(renaming)
  if (mistake) {
    console.error(mistake)
    return 2
  }
  const changed = renameIn(root, renaming)
  const byHand = leftByHand(renaming, changed).map((line) => `by hand  ${line}`)
  const next =
    'next: npm run fix, and npx vitest run selftest/repository, which names what is missing'
  console.log([...changed, ...byHand, next].join('\n'))
  return 0
}

if (process.argv[1] === import.meta.filename) process.exitCode = main(process.argv.slice(2))
