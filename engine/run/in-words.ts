import { type Kinds, wordsOf } from '../findings/finding.ts'
import type { Words } from '../findings/kind.ts'
import { firstLines } from '../outcome.ts'
import type { Problem } from '../problem.ts'
import type { Broken } from '../verdict.ts'

// The edge at which findings become words.

export const worded = <Found extends Problem>(problem: Found, kinds: Kinds): Found & Words => ({
  ...wordsOf(problem.finding, kinds),
  ...problem,
})

const maxShown = 5

/** The sentences of a broken clause. */
export function reasonOf({ breaches, more = 0 }: Broken, kinds: Kinds): string {
  const sentences = breaches.slice(0, maxShown).map(({ finding, times }) => {
    const { sentence } = wordsOf(finding, kinds)
    return times ? `${sentence} (same result ${times} times)` : sentence
  })
  const others = breaches.length + more - sentences.length
  return firstLines([...sentences, ...(others > 0 ? [`… and ${others} more`] : [])].join('\n'))
}
