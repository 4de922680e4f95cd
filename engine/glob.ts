/** Whether a clause id matches one of the globs: `*` stands for any run of characters, `?` for one. */
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
