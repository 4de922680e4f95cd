import { readFileSync } from 'node:fs'
import { Impossible } from '../../engine/impossible.ts'
import { reasonOf } from '../../engine/journal/disk.ts'

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

/** Turns an error into the sentence that ends the command; a sentence stays as it is. */
export function orImpossible<T>(act: () => T, sentence: (reason: string) => string): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof Impossible) throw error
    throw new Impossible(sentence(reasonOf(error)))
  }
}

/** Ends the command with a sentence that begins with `place`: a flag, a setting or a file. */
export const mistakeIn =
  (place: string) =>
  (rest: string): never => {
    throw new Impossible(`${place}${rest}`)
  }
