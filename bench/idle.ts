/** Flags of a run with all of a run's start, and one clause that asks nothing. */
export const idle = ['--clauses', 'auth.wrong-region']

/** How such a run ends. */
export const nothingChecked = 3
