/** Why a mutant that survives does the same as the line itself: its name, and a sentence. */
export const equivalent: Readonly<Record<string, string>> = {
  'helpers/export/learn/date-form.ts isInOrder shift day < month':
    'The two places are equal only where a form names neither the day nor the month, and a date in numbers has more numbers than the clock and the year can be read as.',
  'engine/files/multiset.ts stableColumns empty other.map((row) => row.length)':
    'A column that the second answer alone has agrees with nothing: it is never among those that are kept.',
  'helpers/export/learn/short-windows.ts spread shift all.length <= maxPlaces':
    'With exactly as many places as are tried, both give all of them, in another order.',
  'engine/files/multiset.ts stableColumns swap isEqual(multisetOf(one, all), multisetOf(other, all))':
    'Two sets are equal, or they are not, in whichever order they are compared.',
  'helpers/export/judge/same-file.ts problemsOfOtherEvents swap Math.max(most, row.length)':
    'The larger of two numbers is the same in either order.',
  'helpers/export/learn/event-count.ts createCounter/counted swap Math.max(events, count - around)':
    'The larger of two numbers is the same in either order.',
  'helpers/loans/put-back.ts putBack swap Math.min(25 * 2 ** round, 1000)':
    'The smaller of two numbers is the same in either order.',
  'helpers/updates/model.ts commandsOn/stale/check swap isSameId(model.to?.id, to.id)':
    'Two ids are the same, or they are not, in whichever order they are compared.',
  'helpers/watch/mail-watch.ts toldCounts swap Math.max(1, certain.length - alike)':
    'The larger of two numbers is the same in either order.',
}
