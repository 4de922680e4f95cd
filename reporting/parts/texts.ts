/** The beginning of a text that is too long; no character is cut in two. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const whole = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  return `${whole.trimEnd()} …`
}

/** What has room on a line. */
export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

/** The first line, and a sign that there are more. */
export const inOneLine = (text: string): string => text.replace(/\n.*/s, ' …')

type Part = string | false | undefined | readonly string[]

/** The texts of a list, that are partly there on a condition: `present([attempt > 1 && 'again'])`. */
export const present = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part === false || part === undefined ? [] : part))

/**
 * Makes a service's text safe for a terminal: shows control characters, and disarms log commands of GitHub,
 * Azure and TeamCity.
 */
export const printable = (text: string): string =>
  text
    .replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, escaped)
    .replace(/^\s*::/gm, (colons) => colons.replace(':', escaped))
    .replace(/##(?=\[|vso\[|teamcity\[)/g, (signs) => signs.replace('#', escaped))

export const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** in order of first appearance */
export function groupedBy<T, Key extends string>(
  items: readonly T[],
  key: (item: T) => Key,
): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return groups
}
