import type { Group } from '../engine/clause/shard.ts'

/**
 * The clauses that one shard is to have together: they share walks of updates, windows and files that
 * another shard would have to ask for once more. A clause belongs to the first group that names it. What
 * a group costs are hundredths of all requests, where a CSV counts as two and a half, a PDF as twelve.
 */
export const groups: Group[] = [
  {
    clauses: [
      ...['assign.*', 'version.*', 'audit.*', 'notify.*', 'limits.*'],
      ...['auth.*', 'task.*', 'assessment.*', 'versioning.*'],
    ],
    cost: 35,
  },
  { clauses: ['export.filter*', 'export.metadata*', 'export.array-encoding'], cost: 31 },
  { clauses: ['export.range.*', 'export.few-events.*'], cost: 18 },
  { clauses: ['export.pdf*'], cost: 10 },
  { clauses: ['export.*'], cost: 21 },
]
