/** The If-Match of a request: made of the version that an answer shows, or as it was sent. */
export type Version =
  | { is: string }
  | {
      /** `before`: the current one; `set1`: the one before it, of the last update but one */
      of: 'before' | 'set1'
      /** the place of a digit that is one more */
      digit?: number
      /** by how much its year is another */
      year?: number
      lower?: true
      /** so many of its characters */
      length?: number
      before?: string
      after?: string
    }

/** How a version was made of those that were seen, the current one last. */
export function versionOf(sent: string, seen: readonly string[], isWrong = false): Version {
  if (sent === seen.at(-1)) return { of: 'before' }
  if (seen.includes(sent)) return { of: 'set1' }
  // Another request may have shown a later one than the one that this was made of.
  for (const shown of seen.toReversed()) {
    const made = madeOf(sent, shown) ?? (isWrong ? goneOn(sent, shown) : undefined)
    if (made) return made
  }
  return { is: sent }
}

/** One that goes on otherwise than the current one, as with another zone or more digits. */
function goneOn(sent: string, current: string): Version | undefined {
  const length = [...sent].findIndex((char, place) => char !== current[place])
  return length < 19 ? undefined : { of: 'before', length, after: sent.slice(length) }
}

function madeOf(sent: string, current: string): Version | undefined {
  const at = current === '' ? -1 : sent.indexOf(current)
  if (at >= 0)
    return { of: 'before', before: sent.slice(0, at), after: sent.slice(at + current.length) }
  if (sent !== '' && current.startsWith(sent)) return { of: 'before', length: sent.length }
  const length = [...sent].findIndex((char, place) => char !== current[place])
  const after = sent.slice(length)
  if (length >= 10 && sent.length < current.length && current.endsWith(after))
    return { of: 'before', length, after }
  if (sent === current.toLowerCase()) return { of: 'before', lower: true }
  if (sent.length !== current.length) return undefined
  const year = Number(sent.slice(0, 4)) - Number(current.slice(0, 4))
  if (sent.slice(4) === current.slice(4) && Number.isInteger(year)) return { of: 'before', year }
  const apart = [...sent].flatMap((char, place) => (char === current[place] ? [] : [place]))
  const [digit = -1] = apart
  const isNext = Number(sent[digit]) === (Number(current[digit]) + 1) % 10
  return apart.length === 1 && isNext ? { of: 'before', digit } : undefined
}
