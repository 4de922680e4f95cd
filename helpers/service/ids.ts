import { isUuid } from '../../engine/settings/parsers.ts'

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

export function malformedKindOf(id: string): string | undefined {
  const likely = [`${id}0`, id.slice(0, -1), `${id.slice(0, -1)}0`].filter(isUuid)
  const kinds = Object.entries(malformedIds)
  return kinds.find(([, idFrom]) => ['-', ...likely].some((known) => idFrom(known) === id))?.[0]
}
