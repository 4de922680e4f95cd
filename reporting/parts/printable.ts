/**
 * Makes a service's text safe for a terminal: shows control characters, and disarms log commands of GitHub,
 * Azure and TeamCity.
 */
export const printable = (text: string): string =>
  text
    .replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, escaped)
    .replace(/^\s*::/gm, (colons) => colons.replace(':', escaped))
    .replace(/##(?=\[|vso\[|teamcity\[)/g, (signs) => signs.replace('#', escaped))

/** A character as the escape that JSON and JavaScript write. */
export const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
