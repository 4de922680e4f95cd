import { nearest } from '../nearest.ts'
import { isUuid } from './parsers.ts'
import type { Environment } from './table.ts'

/** Reports each name that looks like one of `names` and is not a setting; `strictly` holds those of .env. */
export function misspelt(names: readonly string[], env: Environment, strictly: Iterable<string>) {
  const own = new Set(strictly)
  return Object.keys(env)
    .filter((name) => env[name] !== undefined && !names.includes(name))
    .filter((name) => env.BASE_URL === undefined || !/^base[_-]?ur[li]$/i.test(name))
    .flatMap((name) => {
      const meant = own.has(name)
        ? meantInFile(names, name)
        : meantElsewhere(names, name, env[name] ?? '')
      return meant ? [`${name} is not a setting; did you mean ${meant}?`] : []
    })
}

const meantInFile = (names: readonly string[], name: string) =>
  names.find((setting) => letters(setting) === letters(name.toUpperCase())) ??
  nearest(name.toUpperCase(), names, 2)

/** Names of tools; APP_KEY is Laravel's. */
const foreign = /^(npm|VITE|NODE|CI|GITHUB)_|^APP_KEY$/

/** Taskcluster, Apple's tools and login shells set these; they are meant for us if they hold ids. */
const shared = ['TASK_ID', 'TEAM_ID', 'USER_ID']

/** A machine has hundreds of names of its own; none of them may stop a run. */
function meantElsewhere(names: readonly string[], name: string, value: string) {
  // A lost address ends as a green run against the embedded service, so match it generously.
  if (/^base[_-]?ur[li]$/i.test(name) && /^https?:/i.test(value.trim())) return 'BASE_URL'
  if (foreign.test(name) || name.length < 6 || !name.includes('_')) return undefined
  if (shared.includes(name) && !value.split(/[\s,;]+/).some(isUuid)) return undefined
  return names.find((setting) => letters(setting) === letters(name)) ?? nearest(name, names, 1)
}

/** A name without underscores and plural endings; a unit such as MS is not a plural. */
const letters = (name: string) =>
  name
    .split(/[_-]/)
    .map((word) => (word.length > 2 ? word.replace(/S$/, '') : word))
    .join('')
