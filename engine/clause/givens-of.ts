/** The names of the givens that a body destructures, read from its source text as vitest does. */
export function givensOf(body: { toString(): string }): string[] {
  const [, names = ''] = /^[^{]*?\(\s*\{([^}]*)\}/.exec(body.toString()) ?? []
  return names.split(',').map((name) => name.replace(/:.*/s, '').trim())
}
