import type { Report } from '../../engine/run/report.ts'
import { matcherOf, messagesIn } from './messages.ts'
import { Names, readSources } from './sources.ts'

let isListed: ((sentence: string) => boolean) | undefined

function listed(sentence: string): boolean {
  if (!isListed) {
    const sources = readSources()
    isListed = matcherOf(messagesIn(sources, new Names(sources)))
  }
  // What is wrong with a file is listed as it is read, whichever request brought it.
  return isListed(sentence) || isListed(sentence.replace(/^[A-Z]+ \S+ answered \d+: /, ''))
}

/** The sentences of a text that docs/messages.md does not list. */
export const unlisted = (text: string): string[] =>
  text
    .split('\n')
    // How often a sentence came, and how many more there are, is said of any.
    .map((line) => line.replace(/ \(\d+ times\)$/, ''))
    .filter((line) => !/^(… and \d+ more$|the walk: )/.test(line) && !listed(line))

/** The sentences of a report that docs/messages.md does not list. */
export const unlistedIn = ({ reasons, notices, clauses }: Report): string[] => [
  ...[...reasons, ...notices].flatMap(unlisted),
  ...clauses.flatMap(({ id, reason }) =>
    reason ? unlisted(reason).map((each) => `${id}: ${each}`) : [],
  ),
]
