import type { Group } from '../engine/clause/shard.ts'

/**
 * The clauses that one shard is to have together: they share journeys, windows and files that another
 * shard would have to ask for once more. What a group costs was measured in seconds of its own run.
 */
export const groups: Group[] = [
  { clauses: ['assign.*', 'auth.*'], cost: 7.3 },
  { clauses: ['export.filter*', 'export.metadata*'], cost: 7 },
  {
    clauses: ['export.range.*', 'export.few-events.*', 'export.timezone.*', 'export.locale*'],
    cost: 7.5,
  },
  { clauses: ['export.*', 'task.*', 'assessment.*'], cost: 6.5 },
  { clauses: ['version.*', 'audit.*', 'notify.*', 'limits.*', 'versioning.*'], cost: 5 },
]
