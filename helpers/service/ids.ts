/** Whether two ids are the same: UUIDs are, in either letter case (rule R5). */
export const isSameId = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase()
