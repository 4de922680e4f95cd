/** Whether an id matches one of the globs: `*` is any run of characters, `?` is one. */
export function matchesAny(id: string, globs: readonly string[]): boolean {
  return globs.some((glob) => glob === id || (/[*?]/.test(glob) && toRegExp(glob).test(id)))
}

const toRegExp = (glob: string) =>
  new RegExp(
    `^${glob
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  )
