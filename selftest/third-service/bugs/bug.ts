import type { Plugin } from '../hooks.ts'

export interface Bug<N extends string = string> {
  name: N
  kind: 'stated' | 'natural'
  /** The sentence of the contract that it breaks, or the natural reading of it. */
  breaks: string
  does: string
  /** Why the clause that owns the sentence is a should, so that a run warns of it and ends with 0. */
  warns?: string
  /** How many audit events there have to be for it to show. */
  events?: number
  hooks: () => Plugin
}

/** A bug that breaks a sentence of the contract, quoted in `breaks`. */
export const stated = <const N extends string>(bug: Omit<Bug<N>, 'kind'>): Bug<N> => ({
  ...bug,
  kind: 'stated',
})

/** A bug that breaks only what a reader naturally takes the contract to mean. */
export const natural = <const N extends string>(bug: Omit<Bug<N>, 'kind'>): Bug<N> => ({
  ...bug,
  kind: 'natural',
})
