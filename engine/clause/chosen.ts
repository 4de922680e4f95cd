/** Ids of the clauses that this run checks: what only some of them need is not done for others. */
export const chosen = new Set<string>()

/** Whether the run checks clauses whose ids begin so. */
export const isAsked = (beginning: string): boolean =>
  [...chosen].some((id) => id.startsWith(beginning))
