/** Why a mutant that survives does the same as the line itself: its name, and a sentence. */
export const equivalent: Readonly<Record<string, string>> = {
  'engine/files/multiset.ts stableColumns empty other.map((row) => row.length)':
    'A column that the second answer alone has agrees with nothing: it is never among those that are kept.',
  'helpers/export/learn/short-windows.ts spread shift all.length <= maxPlaces':
    'With exactly as many places as are tried, both give all of them, in another order.',
}
