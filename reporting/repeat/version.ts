/** The If-Match of a request, as an expression within double quotes of sh that uses the task just read. */
export type Version = string

export const current: Version = '$(version read)'
/** the version before the current one, which the script's last update replaced */
export const stale: Version = '$stale'

/** How a version derives from those shown, the current one last; undefined: from none of them. */
export function versionOf(
  sent: string,
  seen: readonly string[],
  isWrong = false,
): Version | undefined {
  if (sent === seen.at(-1)) return current
  if (seen.includes(sent)) return stale
  // Another request may have shown a later version than the one used.
  for (const shown of seen.toReversed()) {
    const made = madeOf(sent, shown) ?? (isWrong ? goneOn(sent, shown) : undefined)
    if (made) return made
  }
  return undefined
}

/** A version that continues differently, as with another zone or more digits. */
function goneOn(sent: string, shown: string): Version | undefined {
  const length = [...sent].findIndex((char, place) => char !== shown[place])
  return length < 19 ? undefined : begun(length, sent.slice(length))
}

const escaped = (text: string) => text.replace(/["\\$`]/g, '\\$&')

const begun = (length: number, after: string): Version =>
  `$(version read | cut -c1-${length})${escaped(after)}`

function madeOf(sent: string, shown: string): Version | undefined {
  const at = shown === '' ? -1 : sent.indexOf(shown)
  if (at >= 0)
    return `${escaped(sent.slice(0, at))}${current}${escaped(sent.slice(at + shown.length))}`
  if (sent !== '' && shown.startsWith(sent)) return begun(sent.length, '')
  const length = [...sent].findIndex((char, place) => char !== shown[place])
  const after = sent.slice(length)
  if (length >= 10 && sent.length < shown.length && shown.endsWith(after))
    return begun(length, after)
  if (sent === shown.toLowerCase()) return '$(version read | tr A-Z a-z)'
  if (sent.length !== shown.length) return undefined
  const years = Number(sent.slice(0, 4)) - Number(shown.slice(0, 4))
  if (sent.slice(4) === shown.slice(4) && Number.isInteger(years))
    return `$(($(version read | cut -c1-4) + ${years}))$(version read | cut -c5-)`
  const apart = [...sent].flatMap((char, place) => (char === shown[place] ? [] : [place]))
  const [digit = -1] = apart
  if (apart.length !== 1 || !/\d/.test(sent[digit] ?? '')) return undefined
  // Another digit than the current one.
  return `$(version read | sed -E -e 's/^(.{${digit}})[0-8]/\\19/' -e t -e 's/^(.{${digit}})9/\\18/')`
}
