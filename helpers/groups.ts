import type { Group } from '../engine/clause/shard.ts'

/**
 * The clauses that one shard is to have together: they share walks of updates, windows and files that
 * another shard would have to ask for once more. A clause belongs to the first group that names it. What
 * a group costs is how long it takes beside the others; what it needs, tasks of twelve.
 */
export const groups: Group[] = [
  {
    clauses: [
      ...['assign.*', 'audit.*', 'notify.*'],
      ...['export.text-intact', 'export.pdf.text-intact'],
    ],
    cost: 20,
    needs: 7,
  },
  { clauses: ['version.*', 'versioning.*'], cost: 8, needs: 5 },
  // Reads and refusals: many requests, of which none waits for another.
  {
    clauses: ['task.*', 'assessment.*', 'auth.*', 'limits.*'],
    cost: 4,
    // Bad keys for reads and exports alone.
    borrowless: [
      ...['auth.*.export', 'auth.*.task.read', 'auth.*.assessment.read'],
      ...['auth.other-carriers.query', 'auth.refused-reveals-nothing'],
    ],
  },
  { clauses: ['export.filter*', 'export.metadata*', 'export.array-encoding'], cost: 28 },
  // All of these look for as many events as a PDF holds: exports of nearly everything.
  {
    clauses: [
      ...['export.pdf*', 'export.range.split.rows'],
      ...['export.range.pdf.rows', 'export.few-events.pdf'],
    ],
    cost: 24,
  },
  { clauses: ['export.range.*', 'export.few-events.*'], cost: 12 },
  {
    clauses: [
      ...['export.timezone*', 'export.locale*', 'export.default-locale*'],
      'export.deterministic.*',
    ],
    cost: 10,
  },
  { clauses: ['export.*'], cost: 6 },
]
