import { readFileSync } from 'node:fs'
import { mistakeIn, orImpossible } from './or-impossible.ts'

type Reviver = (name: string, value: unknown) => unknown

/** Reads a JSON file. The caller words each mistake, because it knows what to do instead. */
export function readJson(
  file: string,
  { unread, notJson }: { unread(reason: string): string; notJson(text: string): string },
  reviver?: Reviver,
): unknown {
  const text = orImpossible(() => readFileSync(file, 'utf8'), unread)
  return orImpossible(
    () => JSON.parse(text, reviver),
    () => notJson(text),
  )
}

/** Reads a JSON list; `flag` names it with its file, `wanted` says how to write it. */
export function readList(file: string, flag: string, wanted: string): unknown[] {
  const list = readJson(file, {
    unread: (reason) => `${flag} cannot be read (${reason}); give a readable file.`,
    notJson: () => `${flag} is not JSON; ${wanted}`,
  })
  return Array.isArray(list) ? list : mistakeIn(flag)(` does not hold a list; ${wanted}`)
}
