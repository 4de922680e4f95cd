import type { Variant } from '../bend.ts'
export const variants: Variant[] = []
