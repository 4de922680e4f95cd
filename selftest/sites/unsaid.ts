import { spellingsOf } from '../messages/listed.ts'
import { type Kind, matcherOf, messagesIn } from '../messages/messages.ts'
import { Names, readSources } from '../messages/sources.ts'
import type { Recorded } from './record.ts'

/** What a clause may say of how it ended. */
const ofClauses: readonly Kind[] = [
  'breach',
  'trouble',
  'refused',
  'setting',
  'data',
  'freedom',
  'clause',
]

export type Unsaid = { kind: Kind; text: string }

/** The sentences of clauses in the code that no proof has said. */
export function unsaidIn(recorded: readonly Pick<Recorded, 'said'>[]): Unsaid[] {
  const sources = readSources()
  const said = new Set(recorded.flatMap((each) => each.said.flatMap(spellingsOf)))
  return messagesIn(sources, new Names(sources))
    .filter(({ kind }) => ofClauses.includes(kind))
    .filter((message) => {
      const isIt = matcherOf([message])
      return ![...said].some(isIt)
    })
    .map(({ kind, text }) => ({ kind, text }))
    .toSorted((one, two) => (one.kind + one.text < two.kind + two.text ? -1 : 1))
}
