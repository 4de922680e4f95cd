/** Decodes a part of an address; invalid percent signs stay. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
