import type { Dealing } from '../engine/clause/shard.ts'

/**
 * The clauses that one shard is to have together: they share walks of updates, windows and files that
 * another shard would have to ask for once more. A clause belongs to the first group that names it. What
 * it needs are tasks of twelve.
 */
export const dealing: Dealing = {
  findings: {
    window: { cpu: 5, waits: 1 },
    filters: { cpu: 4, waits: 3 },
    'texts of PDFs': { cpu: 9, waits: 1 },
    'limit of a PDF': { cpu: 5, waits: 1 },
    people: { cpu: 2, waits: 3 },
  },
  groups: [
    // The trail and the mailbox are held against the updates of their own shard; the model sends comments.
    {
      clauses: [
        ...['assign.*', 'audit.*', 'notify.*', 'version.model'],
        ...['export.text-intact', 'export.pdf.text-intact'],
      ],
      cpu: 6,
      waits: 26,
      needs: 5,
      finds: ['people'],
    },
    { clauses: ['version.*'], cpu: 3, waits: 14, needs: 4, finds: ['people'] },
    { clauses: ['auth.*', 'limits.*'], cpu: 3, waits: 12, needs: 3 },
    // All that reads texts of PDFs is in two groups: a thread that does takes a second to become quick.
    {
      clauses: [
        ...['export.filter.pdf', 'export.filter.combined.*', 'export.deterministic.*'],
        ...['export.timezone*', 'export.locale*', 'export.default-locale*'],
      ],
      cpu: 23,
      waits: 15,
      finds: ['window', 'filters', 'texts of PDFs'],
    },
    // Several look for as many events as a PDF holds: eight exports of nearly everything.
    {
      clauses: [
        ...['export.pdf*', 'export.range.split.rows'],
        ...['export.range.pdf.rows', 'export.few-events.pdf'],
      ],
      cpu: 17,
      waits: 7,
      finds: ['window', 'filters', 'texts of PDFs', 'limit of a PDF'],
    },
    {
      clauses: ['export.filter*', 'export.metadata*', 'export.array-encoding'],
      cpu: 7,
      waits: 12,
      finds: ['window', 'filters'],
    },
    {
      clauses: ['export.range.*', 'export.few-events.*'],
      cpu: 7,
      waits: 8,
      finds: ['window'],
    },
    { clauses: ['export.*'], cpu: 3, waits: 4, finds: ['window'] },
    { clauses: ['task.*', 'assessment.*', 'versioning.*'], cpu: 2, waits: 4 },
  ],
}
