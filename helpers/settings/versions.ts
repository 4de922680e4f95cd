/** The versions of this suite that introduced clauses or changed their levels, oldest first. */
export const versions = ['0.1', '0.2'] as const

/** The version of a clause that names none. */
export const firstVersion = versions[0]
