import { accessBugs } from './access.ts'
import { fileBugs } from './files.ts'
import { filterBugs } from './filters.ts'
import { readingBugs } from './reading.ts'
import { trailBugs } from './trail.ts'
import { transitionBugs } from './transitions.ts'
import { versionBugs } from './versions.ts'

export type { Bug } from './bug.ts'

export const bugs = [
  ...accessBugs,
  ...readingBugs,
  ...transitionBugs,
  ...versionBugs,
  ...filterBugs,
  ...fileBugs,
  ...trailBugs,
] as const

export type BugName = (typeof bugs)[number]['name']
