import type { ClauseReport } from '../report.ts'

/** What a clause asks about, in a word: sections of the contract that a reader takes together. */
export const kinds: Record<string, string[]> = {
  Authentication: ['Authentication'],
  Answers: [
    'What the service does',
    'Endpoints',
    'Update a task assignment',
    'Retrieve a task',
    'Retrieve an assessment',
    'Export audit events',
  ],
  Fields: ['Resources and their fields', 'Task', 'Assignment', 'Assessment', 'Audit event'],
  States: ['States and transitions'],
  Errors: ['Errors'],
  Events: ['Events'],
  Limits: ['Limits'],
  Versioning: ['Versioning'],
}

const bySection = new Map(
  Object.entries(kinds).flatMap(([kind, sections]) => sections.map((section) => [section, kind])),
)

export const kindOf = ({ section }: Pick<ClauseReport, 'section'>): string =>
  bySection.get(section) ?? 'Other'
