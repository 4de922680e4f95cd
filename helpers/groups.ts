import type { Group } from '../engine/clause/shard.ts'

/**
 * The clauses that one shard is to have together: they share walks of updates, windows and files that
 * another shard would have to ask for once more. A clause belongs to the first group that names it. What
 * a group costs are hundredths of what a run computes and waits for; what it needs, tasks of twelve.
 */
export const groups: Group[] = [
  {
    clauses: [
      ...['assign.*', 'audit.*', 'notify.*', 'auth.*', 'limits.*'],
      ...['export.text-intact', 'export.pdf.text-intact'],
    ],
    cost: 30,
    needs: 7,
  },
  { clauses: ['version.*'], cost: 15, needs: 4 },
  { clauses: ['export.filter*', 'export.metadata*', 'export.array-encoding'], cost: 26 },
  { clauses: ['export.timezone*', 'export.locale*', 'export.default-locale*'], cost: 16 },
  // Both look for as many events as a PDF holds: eight exports of nearly everything.
  { clauses: ['export.pdf*', 'export.range.split.rows'], cost: 20 },
  { clauses: ['export.range.*', 'export.few-events.*'], cost: 12 },
  { clauses: ['export.*', 'task.*', 'assessment.*', 'versioning.*'], cost: 10, needs: 1 },
]
