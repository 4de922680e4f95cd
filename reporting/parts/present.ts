type Part = string | false | undefined | readonly string[]

/** The texts of a list, that are partly there on a condition: `present([attempt > 1 && 'again'])`. */
export const present = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part === false || part === undefined ? [] : part))
