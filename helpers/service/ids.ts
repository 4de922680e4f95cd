/** Whether two ids are the same: UUIDs are, in either letter case (rule R5). */
export const isSameId = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** Ids that are no UUIDs, by what they are: most are made of one that is given. */
export const malformedIds: Readonly<Record<string, (known: string) => string>> = {
  words: () => 'not-a-uuid',
  'a digit': () => '0',
  'a UUID cut short': (known) => known.slice(0, -1),
  'a UUID and a letter': (known) => `${known}x`,
  // It stands for any letter where databases compare by LIKE.
  'a UUID with _ for its last letter': (known) => `${known.slice(0, -1)}_`,
}
