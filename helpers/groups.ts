import type { Dealing } from '../engine/clause/shard.ts'

/**
 * The clauses that one shard is to have together: they share walks of updates, windows and files that
 * another shard would have to ask for once more. A clause belongs to the first group that names it. What
 * a group costs, and what it finds out first, are hundredths of what a run computes and waits for; what it
 * needs, tasks of twelve.
 */
export const dealing: Dealing = {
  findings: { window: 6, filters: 5, 'texts of PDFs': 6, 'limit of a PDF': 6, people: 6 },
  groups: [
    // The trail and the mailbox are held against the updates of their own shard.
    {
      clauses: [
        ...['assign.*', 'audit.*', 'notify.*'],
        ...['export.text-intact', 'export.pdf.text-intact'],
      ],
      cost: 14,
      needs: 5,
      finds: ['people'],
    },
    { clauses: ['auth.*', 'limits.*'], cost: 6, needs: 3 },
    { clauses: ['version.*'], cost: 12, needs: 4, finds: ['people'] },
    {
      clauses: ['export.filter.pdf', 'export.filter.combined.*'],
      cost: 4,
      finds: ['window', 'filters', 'texts of PDFs'],
    },
    {
      clauses: ['export.filter*', 'export.metadata*', 'export.array-encoding'],
      cost: 25,
      finds: ['window', 'filters'],
    },
    {
      clauses: ['export.timezone*', 'export.locale*', 'export.default-locale*'],
      cost: 9,
      finds: ['window', 'texts of PDFs'],
    },
    // Both look for as many events as a PDF holds: eight exports of nearly everything.
    {
      clauses: ['export.pdf*', 'export.range.split.rows'],
      cost: 18,
      finds: ['window', 'filters', 'texts of PDFs', 'limit of a PDF'],
    },
    { clauses: ['export.range.*', 'export.few-events.*'], cost: 18, finds: ['window'] },
    { clauses: ['export.*'], cost: 10, finds: ['window', 'filters'] },
    { clauses: ['task.*', 'assessment.*', 'versioning.*'], cost: 3 },
  ],
}
