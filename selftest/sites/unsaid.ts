import { spellingsOf } from '../messages/listed.ts'
import { type Kind, type Message, matcherOf, messagesIn } from '../messages/messages.ts'
import { saidByTests } from '../messages/said-by-tests.ts'
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

/** A sentence, and the test that has it said where there is one. */
export type Unsaid = Message & { test?: string | undefined }

/** The sentences of clauses in the code that no proof has said. */
export function unsaidIn(recorded: readonly Pick<Recorded, 'said'>[]): Unsaid[] {
  const said = new Set(recorded.flatMap((each) => each.said.flatMap(spellingsOf)))
  return sentencesOfClauses()
    .filter((message) => {
      const isIt = matcherOf([message])
      return ![...said].some(isIt)
    })
    .map((message) => ({ ...message, test: testOf(message) }))
    .toSorted((one, two) => (one.kind + one.text < two.kind + two.text ? -1 : 1))
}

export function sentencesOfClauses(): Message[] {
  const sources = readSources()
  return messagesIn(sources, new Names(sources)).filter(({ kind }) => ofClauses.includes(kind))
}

const testOf = (message: Message): string | undefined =>
  Object.entries(saidByTests).find(([, words]) => words.some((each) => isOf(message, each)))?.[0]

/** Whether words are those of a sentence, or the most telling of them; others may stand around them. */
export function isOf({ text }: Pick<Message, 'text'>, words: string): boolean {
  const parts = text.split(/<[^<>]*>|…/).map((part) => part.replace(/^\W+|[^\w)?]+$/g, ''))
  const [longest = text] = parts.toSorted((one, two) => two.length - one.length)
  return words.includes(longest) || text.includes(words)
}
