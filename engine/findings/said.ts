import type { Kind, Words } from './kind.ts'

/** In words alone: of a law that does not make data yet. */
export type SaidFinding = { kind: 'said' } & Words

export const said: Kind<SaidFinding> = {
  wordsOf: ({ sentence, expected, got }) => ({ sentence, expected, got }),
}
