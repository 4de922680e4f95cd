import { isUuid } from './parsers.ts'
import type { Environment } from './table.ts'

/** Damerau-Levenshtein distance between two words, where no letter moves twice. */
export function distance(one: string, other: string) {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let i = 1; i <= one.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = one[i - 1] === other[j - 1] ? 0 : 1
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + changed)
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, at(i - 2, j - 2) + 1)
      rows[i]?.push(least)
    }
  }
  return at(one.length, other.length)
}

/** The candidate closest to a word, if one is as close as that. */
export function nearest(word: string, candidates: readonly string[], within: number) {
  const [best] = candidates
    .map((candidate) => ({ candidate, steps: distance(word, candidate) }))
    .sort((a, b) => a.steps - b.steps)
  return best && best.steps <= within ? best.candidate : undefined
}

/** Tells each name that is no setting but looks like one of `names`; `strictly` holds those of .env. */
export function misspelt(names: readonly string[], env: Environment, strictly: Iterable<string>) {
  const own = new Set(strictly)
  return Object.keys(env)
    .filter((name) => env[name] !== undefined && !names.includes(name))
    .filter((name) => env.BASE_URL === undefined || !/^base[_-]?ur[li]$/i.test(name))
    .flatMap((name) => {
      const meant = own.has(name)
        ? meantInFile(names, name)
        : meantElsewhere(names, name, env[name] ?? '')
      return meant ? [`${name} is no setting; did you mean ${meant}?`] : []
    })
}

const meantInFile = (names: readonly string[], name: string) =>
  names.find((setting) => letters(setting) === letters(name.toUpperCase())) ??
  nearest(name.toUpperCase(), names, 2)

/** Names of tools; APP_KEY is Laravel's. */
const foreign = /^(npm|VITE|NODE|CI|GITHUB)_|^APP_KEY$/

/** Taskcluster, Apple's tools and login shells set these; they are meant for us if they hold ids. */
const shared = ['TASK_ID', 'TEAM_ID', 'USER_ID']

/** A machine has hundreds of names of its own, and none of them may stop a run. */
function meantElsewhere(names: readonly string[], name: string, value: string) {
  // A lost address ends as a green run against the embedded service, so this one is read widely.
  if (/^base[_-]?ur[li]$/i.test(name) && isAddress(value)) return 'BASE_URL'
  if (foreign.test(name) || name.length < 6 || !name.includes('_')) return undefined
  if (shared.includes(name) && !value.split(/[\s,;]+/).some(isUuid)) return undefined
  return names.find((setting) => letters(setting) === letters(name)) ?? nearest(name, names, 1)
}

const isAddress = (value: string) => /^https?:/i.test(value.trim())

/** The letters of a name without underscores and plurals; a unit such as MS is no plural. */
const letters = (name: string) =>
  name
    .split(/[_-]/)
    .map((word) => (word.length > 2 ? word.replace(/S$/, '') : word))
    .join('')
