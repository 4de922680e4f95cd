import { clock } from '../time/timers.ts'
import type { Parser, Reading } from './parsers.ts'

export type Setting<Value = unknown> = {
  meaning: string
  example: string
  kind: Parser<Value>
  default?: Value
}

export type Table = Record<string, Setting>

type ValueOf<S> = S extends { kind: Parser<infer Value> } ? Value : never

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>

type WithDefault<T extends Table> = {
  [N in keyof T]: T[N] extends { default: unknown } ? N : never
}[keyof T] &
  string

export type SettingsOf<T extends Table> = {
  [N in WithDefault<T> as CamelCase<N>]: ValueOf<T[N]>
} & { [N in Exclude<keyof T & string, WithDefault<T>> as CamelCase<N>]?: ValueOf<T[N]> }

export type TextsOf<T extends Table> = { [N in keyof T]?: string }

export type ValuesOf<T extends Table> = { [N in keyof T]?: ValueOf<T[N]> }

export type Environment = Record<string, string | undefined>

export function parseTable<T extends Table>(
  table: T,
  env: Environment,
  { cwd, secret }: { cwd: string; secret: keyof T },
) {
  const texts: TextsOf<T> = {}
  const values: ValuesOf<T> = {}
  const mistakes: string[] = []
  const names = Object.keys(table) as (keyof T & string)[]
  for (const name of names) if (env[name] !== undefined) texts[name] = tidy(env[name])
  const now = clock.date()
  for (const name of names) {
    const mistake = (rest: string): undefined => void mistakes.push(`${name} ${rest}`)
    const reading: Reading = { cwd, now, key: texts[secret] ?? '', mistake }
    const text = texts[name]
    if (text) values[name] = table[name]?.kind(text, reading) as ValuesOf<T>[typeof name]
  }
  return { texts, values, mistakes }
}

export function settingsOf<T extends Table>(table: T, values: ValuesOf<T>): SettingsOf<T> {
  const entries = Object.entries(table).map(([name, setting]) => [
    nameInCode(name),
    values[name] ?? setting.default,
  ])
  return Object.fromEntries(entries)
}

export const nameInCode = (name: string) =>
  name.toLowerCase().replaceAll(/[_-](.)/g, (_, letter) => letter.toUpperCase())

/** CI variables and `docker --env-file` keep the spaces, line breaks and quotes that dotenv removes. */
const tidy = (text: string) =>
  text
    .trim()
    .replace(/^(['"])(.*)\1$/s, '$2')
    .trim()
