import { sizeOf } from '../../../engine/files/multiset.ts'
import type { Exports } from '../ask/exports.ts'
import { type Encoding, filterBy, type Parameter, parameters } from '../ask/query.ts'
import { eventsSeen } from './relations.ts'
import { spanOf, type Window } from './window.ts'

/** How the values of array parameters are written. */
export type ArrayForm = {
  encoding: Encoding
  /** by ARRAY_ENCODING; else it was found out, and a breach of it is none of the service's */
  declared: boolean
  /** it is declared, or a value was seen to be understood when written so */
  settled: boolean
}

export const encodings = ['repeat', 'brackets', 'indices', 'comma'] as const

/** What an encoding makes of one value: of one, repeat and comma make the same. */
export const formsOfOne = ['repeat', 'brackets', 'indices'] as const

const maxValues = 4

/** Finds the form in which a value narrows the window: what is not understood is passed over. */
export async function probeForm(
  exports: Exports,
  window: Window,
  candidates: (parameter: Parameter) => Promise<string[]>,
): Promise<ArrayForm> {
  // Many events share a type or a source, and few a user.
  const likeliest = [...parameters].reverse()
  for (const parameter of likeliest)
    for (const value of (await candidates(parameter)).slice(0, maxValues))
      for (const encoding of formsOfOne)
        if (await isNarrowing(exports, window, parameter, value, encoding))
          return { encoding, declared: false, settled: true }
  return { encoding: 'repeat', declared: false, settled: false }
}

/** Whether a value that is written so gives some of the window's events and not all. */
async function isNarrowing(
  exports: Exports,
  window: Window,
  parameter: Parameter,
  value: string,
  encoding: Encoding,
): Promise<boolean> {
  const query = { ...spanOf(window), ...filterBy(parameter, value) }
  const found = sizeOf(eventsSeen(window, await exports.csv(query, { encoding })))
  return found > 0 && found < window.rows.length
}
