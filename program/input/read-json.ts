import { readFileSync } from 'node:fs'
import { orImpossible } from './or-impossible.ts'

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
