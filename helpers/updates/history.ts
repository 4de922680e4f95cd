import type { Task } from '../service/answers.ts'

/** One update of a client that read before it wrote. */
export type Operation = {
  client: number
  /** unlike that of any other update */
  comment: string
  /** the version that it was sent with */
  consumed: string
  outcome: 'accepted' | 'refused' | 'unknown'
  /** the version that its answer shows */
  produced?: string
}

/**
 * What in a history of concurrent updates cannot be: two accepted updates of one version, one
 * version given out twice, or a last state that an accepted update had already replaced. Each is
 * told by the smallest witness. What is not known to have happened is held against nobody.
 */
export function contradictionsIn(history: readonly Operation[], last: Task): string[] {
  const accepted = history.filter(({ outcome }) => outcome === 'accepted')
  const told = ({ client, comment }: Operation) => `client ${client} (${comment})`
  const found: string[] = []
  for (const [at, one] of accepted.entries())
    for (const other of accepted.slice(at + 1)) {
      if (one.consumed === other.consumed)
        found.push(`${told(one)} and ${told(other)} were both accepted on version ${one.consumed}`)
      if (one.produced !== undefined && one.produced === other.produced)
        found.push(`${told(one)} and ${told(other)} both got the version ${one.produced}`)
    }
  for (const one of accepted)
    if (one.produced === one.consumed)
      found.push(`${told(one)} was accepted and left the version ${one.consumed}`)

  const shown = accepted.find(({ comment }) => comment === last.assignment?.assignment_comment)
  const successor = shown && accepted.find(({ consumed }) => consumed === shown.produced)
  if (shown && successor && shown !== successor)
    found.push(
      `the task shows the assignment of ${told(shown)}, which ${told(successor)} had replaced`,
    )
  return found
}
