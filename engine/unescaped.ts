/** A part of an address without its percent signs; as it stands, where these are no text. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
