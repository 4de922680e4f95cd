/** The names that a body takes out of its givens, read off its source text as vitest does. */
export function givensOf(body: { toString(): string }): string[] {
  const [, names = ''] = /^[^{]*?\(\s*\{([^}]*)\}/.exec(body.toString()) ?? []
  return names.split(',').map((name) => name.replace(/:.*/s, '').trim())
}
