import type { Encoding } from '../../service/operations.ts'
import type { Exports } from '../ask/exports.ts'
import { type Parameter, parameters } from '../ask/query.ts'
import { tryValue } from './tries.ts'
import type { Window } from './window.ts'

export type ArrayForm = {
  encoding: Encoding
  /** from ARRAY_ENCODING; otherwise it was found, and a mismatch is not a breach */
  declared: boolean
  /** it is declared, or a value worked in this form */
  settled: boolean
}

/** Encodings that differ for a single value: comma, pipe, semicolon and space look like repeat. */
export const formsOfOne = ['repeat', 'brackets', 'indices', 'json'] as const

const maxValues = 4

/** Finds the form in which a value narrows the window; unknown forms are ignored. */
export async function probeForm(
  exports: Exports,
  window: Window,
  candidates: (parameter: Parameter) => Promise<string[]>,
): Promise<ArrayForm> {
  // Many events share a type or a source, and few a user.
  const likeliest = [...parameters].reverse()
  for (const parameter of likeliest)
    for (const value of (await candidates(parameter)).slice(0, maxValues))
      for (const encoding of formsOfOne) {
        const { effect } = await tryValue(exports, window, { field: parameter, value, encoding })
        if (effect === 'some') return { encoding, declared: false, settled: true }
      }
  return { encoding: 'repeat', declared: false, settled: false }
}
