/**
 * Text that came from a service, safe for a terminal: control characters are shown, not obeyed. Nor
 * are the words by which a line of a log gives orders to GitHub, Azure or TeamCity.
 */
export const printable = (text: string): string =>
  text
    .replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, escaped)
    .replace(/^\s*::/gm, (colons) => colons.replace(':', escaped))
    .replace(/##(?=\[|vso\[|teamcity\[)/g, (signs) => signs.replace('#', escaped))

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
