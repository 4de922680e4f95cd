/** The beginning of a text that is too long; no character is cut in two. */
export const cut = (text: string, most: number): string =>
  text.length > most
    ? `${text
        .slice(0, most)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()} …`
    : text
