/** Why a mutant that survives does the same as the line itself: its name, and a sentence. */
export const equivalent: Readonly<Record<string, string>> = {}
