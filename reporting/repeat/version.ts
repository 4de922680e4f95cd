/** The If-Match of a request: made of the version that an answer shows, or as it was sent. */
export type Version =
  | { is: string }
  | {
      /** `before`: the current one; `first`: one that was current before */
      of: 'before' | 'first'
      /** the place of a digit that is one more */
      digit?: number
      /** by how much its year is another */
      year?: number
      lower?: true
      before?: string
      after?: string
    }

/** How a version was made of those that were seen, the current one last. */
export function versionOf(sent: string, seen: readonly string[]): Version {
  const current = seen.at(-1) ?? ''
  if (sent === current) return { of: 'before' }
  if (seen.includes(sent)) return { of: 'first' }
  const at = current === '' ? -1 : sent.indexOf(current)
  if (at >= 0)
    return { of: 'before', before: sent.slice(0, at), after: sent.slice(at + current.length) }
  if (sent === current.toLowerCase()) return { of: 'before', lower: true }
  if (sent.length === current.length && sent.slice(4) === current.slice(4)) {
    const year = Number(sent.slice(0, 4)) - Number(current.slice(0, 4))
    if (Number.isInteger(year)) return { of: 'before', year }
  }
  const apart = [...sent].flatMap((char, place) => (char === current[place] ? [] : [place]))
  const [digit = -1] = apart
  const isNext = Number(sent[digit]) === (Number(current[digit]) + 1) % 10
  if (sent.length === current.length && apart.length === 1 && isNext) return { of: 'before', digit }
  return { is: sent }
}
