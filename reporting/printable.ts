/** Text that came from a service, safe for a terminal: control characters are shown, not obeyed. */
export const printable = (text: string): string =>
  text.replace(
    /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
