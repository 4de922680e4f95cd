export const isSameId = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()

export const malformedIds: Readonly<Record<string, (known: string) => string>> = {
  words: () => 'not-a-uuid',
  'a digit': () => '0',
  'a UUID cut short': (known) => known.slice(0, -1),
  'a UUID and a letter': (known) => `${known}x`,
  // Databases that compare by LIKE read it as any letter.
  'a UUID with _ for its last letter': (known) => `${known.slice(0, -1)}_`,
}
