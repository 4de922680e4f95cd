/** What a report shows of a service's choices: the values that observing clauses saw, by id. */
export type Observed = Readonly<Record<string, unknown>>

export type Members = Readonly<Record<string, unknown>>

/** Reads observed values, and keeps what could not be read of them. */
export type Seen = {
  value(id: string): unknown
  /** a text that is one of these; of any other it is noted that it is not imitated */
  word<Word extends string>(id: string, words: readonly Word[]): Word | undefined
  /** the texts of a list */
  words(id: string): string[]
  members(id: string): Members
  /** gives the values of a list, one after another */
  inTurn(id: string, list: unknown): () => unknown
  /** the one value of a list; of several the first, and that there are others is noted */
  only(id: string, list: unknown): unknown
  /** whether a clause was left undecided because what it needs was refused */
  wasRefused(id: string): boolean
  /** a value is there that the service cannot imitate, or that cannot be one */
  unclear(id: string, why: string): undefined
  /** what the report does not show, and is taken to be so */
  assume(sentence: string): void
}

/** Opens the values of a report; `notes` takes what is unclear by id, `assumed` what is assumed. */
export function openSeen(
  observed: Observed,
  notes: Map<string, string>,
  assumed: Set<string>,
  refused: readonly string[] = [],
): Seen {
  const unclear = (id: string, why: string): undefined => {
    if (!notes.has(id)) notes.set(id, why)
  }
  const wrong = (id: string, wanted: string) =>
    unclear(id, `holds ${shown(observed[id])}, which is not ${wanted}`)
  return {
    value: (id) => observed[id],
    word(id, words) {
      const value = observed[id]
      if (value === undefined) return undefined
      return words.find((word) => word === value) ?? wrong(id, `one of ${words.join(', ')}`)
    },
    words(id) {
      const value = observed[id]
      if (value === undefined) return []
      if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
      wrong(id, 'a list of texts')
      return []
    },
    members(id) {
      const value = observed[id]
      if (value === undefined) return {}
      if (isMembers(value)) return value
      wrong(id, 'an object')
      return {}
    },
    inTurn(id, list) {
      if (list !== undefined && (!Array.isArray(list) || list.length === 0)) wrong(id, 'a list')
      const values: unknown[] = Array.isArray(list) ? list : []
      let turn = -1
      return () => {
        turn += 1
        return values[turn % values.length]
      }
    },
    only(id, list) {
      if (list === undefined) return undefined
      if (!Array.isArray(list) || list.length === 0)
        return unclear(id, `holds ${shown(list)}, which is not a list of values`)
      if (list.length > 1) unclear(id, `saw ${list.map(shown).join(' and ')}; the first is used`)
      return list[0]
    },
    wasRefused: (id) => refused.includes(id),
    unclear,
    assume: (sentence) => {
      assumed.add(sentence)
    },
  }
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value can be the status of a refusal. */
export const isRefusal = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 400 && (value as number) <= 599

/** A value as a short text. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
