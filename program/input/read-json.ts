import { readFileSync } from 'node:fs'
import { reasonOf } from '../../engine/journal/disk.ts'

type Reviver = (name: string, value: unknown) => unknown

/** Reads a JSON file. The caller words each mistake, because it knows what to do instead. */
export function readJson(
  file: string,
  { unread, notJson }: { unread(reason: string): never; notJson(text: string): never },
  reviver?: Reviver,
): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return unread(reasonOf(error))
  }
  try {
    return JSON.parse(text, reviver)
  } catch {
    return notJson(text)
  }
}

/** Reads a JSON list; `mistake` gets what is wrong with its file, `wanted` says how to write it. */
export function readList(
  file: string,
  wanted: string,
  mistake: (rest: string) => never,
): unknown[] {
  const list = readJson(file, {
    unread: (reason) => mistake(` cannot be read (${reason}); give a readable file.`),
    notJson: () => mistake(` is not JSON; ${wanted}`),
  })
  return Array.isArray(list) ? list : mistake(` does not hold a list; ${wanted}`)
}
