import type { Report } from '../../engine/run/report.ts'
import { matcherOf, messagesIn } from './messages.ts'
import { Names, readSources } from './sources.ts'

let isListed: ((sentence: string) => boolean) | undefined

function listed(sentence: string): boolean {
  if (!isListed) {
    const sources = readSources()
    isListed = matcherOf(messagesIn(sources, new Names(sources)))
  }
  return spellingsOf(sentence).some(isListed)
}

/** How a sentence that was printed may stand in the code. */
export function spellingsOf(line: string): string[] {
  const once = line.replace(/ \(\d+ times\)$/, '')
  // What is wrong with a file is said of the file, whichever request brought it.
  return [once, once.replace(/^[A-Z]+ \S+ answered \d+: /, '')]
}

/** The sentences of a text that docs/messages.md does not list. */
export const unlisted = (text: string): string[] =>
  text.split('\n').filter((line) => !/^… and \d+ more$/.test(line) && !listed(line))

/** The sentences of a report that docs/messages.md does not list. */
export const unlistedIn = ({ reasons, notices, clauses }: Report): string[] => [
  ...[...reasons, ...notices].flatMap(unlisted),
  ...clauses.flatMap(({ id, reason }) =>
    reason ? unlisted(reason).map((each) => `${id}: ${each}`) : [],
  ),
]
