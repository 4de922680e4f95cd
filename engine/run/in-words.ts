import { againOf, type Kinds, symptomsOf, wordsOf } from '../findings/finding.ts'
import type { Words } from '../findings/kind.ts'
import type { Symptom } from '../findings/symptom.ts'
import { firstLines } from '../outcome.ts'
import type { Problem } from '../problem.ts'
import type { Broken } from '../verdict.ts'

// The edge at which findings become words.

type Worded = Words & { symptoms?: readonly Symptom[] }

/** With its words, how a script shows it again, and its symptoms if the contract's kinds know them. */
export function worded<Found extends Problem>(problem: Found, kinds: Kinds): Found & Worded {
  const again = { ...againOf(problem.finding, kinds), ...problem.again }
  const isShown = Object.keys(again).length > 0
  const symptoms = symptomsOf(problem.finding, kinds)
  return {
    ...wordsOf(problem.finding, kinds),
    ...problem,
    ...(isShown ? { again } : {}),
    ...(symptoms ? { symptoms } : {}),
  }
}

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
