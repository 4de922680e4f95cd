import type { Open } from '../rules/open.ts'
import type { Stated } from '../rules/stated.ts'
import type { Bends } from './aspect.ts'

/** Whether a clause was broken, and is to be. */
export type Broken = (id: string) => boolean

/** Rules that break some clauses, as far as a clause alone says how. */
export type Breach = {
  /** the ids of the clauses */
  of: string[]
  /** `usual` is what these rules bend further */
  rules(broken: Broken, usual: { open: Open; stated: Stated }): Bends
}

export const operations = [
  'task.read',
  'assign.update',
  'assign.unassign',
  'assessment.read',
  'export',
]
