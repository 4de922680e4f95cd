/**
 * Why a mutant that survives is a lawful service: an id or a glob of ids, and the sentence of the
 * contract that leaves it open. A survivor without one is a gap.
 */
export const lawful: Readonly<Record<string, string>> = {}
