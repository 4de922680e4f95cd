import { natural, stated } from './bug.ts'

/** Which events an export holds. */
export const filterBugs = [
  stated({
    name: 'range-end-exclusive',
    breaks: 'Includes events up to and including this time.',
    does: 'an event exactly at range_end is left out',
    warns: 'how finely times are stored is not shown (rule R2)',
    hooks: () => ({
      verdicts: (verdicts, { event, query }) =>
        query.to === null ? verdicts : { ...verdicts, range_end: event.at < query.to },
    }),
  }),
  stated({
    name: 'range-start-without-milliseconds',
    breaks: 'Includes events from this time.',
    does: 'the milliseconds of range_start are dropped, so events from shortly before get in',
    hooks: () => ({
      verdicts: (verdicts, { event, query }) =>
        query.from === null
          ? verdicts
          : { ...verdicts, range_start: event.at >= Math.floor(query.from / 1000) * 1000 },
    }),
  }),
  stated({
    name: 'reversed-range-accepted',
    breaks:
      'Export: the request is invalid, for example range_start is later than range_end … (400)',
    does: 'a range_start later than range_end gives an empty file',
    hooks: () => ({
      problem: (problem) => (problem?.kind === 'RANGE_REVERSED' ? null : problem),
    }),
  }),
  stated({
    name: 'second-metadata-key-ignored',
    breaks: 'Filter by event metadata; several keys may be combined in one request.',
    does: 'of several metadata keys only the first counts',
    hooks: () => ({
      verdicts: (verdicts) => {
        const entries = Object.entries(verdicts)
        const first = entries.find(([name]) => name.startsWith('metadata.'))
        return Object.fromEntries(
          entries.filter((entry) => !entry[0].startsWith('metadata.') || entry === first),
        )
      },
    }),
  }),
  stated({
    name: 'match-id-filter-ignored',
    breaks: 'Allowed keys: … match_id …',
    does: 'metadata[match_id] is read but does not filter',
    hooks: () => ({
      verdicts: (verdicts) =>
        Object.fromEntries(
          Object.entries(verdicts).filter(([name]) => name !== 'metadata.match_id'),
        ),
    }),
  }),
  stated({
    name: 'reversed-range-accepted-for-pdf',
    breaks:
      'Export: the request is invalid, for example range_start is later than range_end … (400)',
    does: 'only the CSV refuses a range_start later than range_end; the PDF is empty',
    hooks: () => ({
      problem: (problem, { query }) =>
        problem?.kind === 'RANGE_REVERSED' && query.file === 'pdf' ? null : problem,
    }),
  }),
  stated({
    name: 'range-start-lost-beside-sub-type',
    breaks: 'Includes events from this time.',
    does: 'with sub_type the events come from an index that knows no range_start',
    warns: 'that a range and a filter hold together is the natural reading',
    hooks: () => ({
      verdicts: (verdicts) =>
        'sub_type' in verdicts && 'range_start' in verdicts
          ? { ...verdicts, range_start: true }
          : verdicts,
    }),
  }),
  stated({
    name: 'assessment-filter-compares-workflow',
    breaks: 'Allowed keys: … assessment_id …',
    does: 'metadata[assessment_id] is compared with the workflow_instance_id of the event',
    warns: 'what events have in their metadata is learned (rule R2)',
    hooks: () => ({
      verdicts: (verdicts, { event, query }) => {
        const wanted = query.metadata.assessment_id
        const held = event.metadata.workflow_instance_id ?? ''
        return wanted ? { ...verdicts, 'metadata.assessment_id': wanted.includes(held) } : verdicts
      },
    }),
  }),
  stated({
    name: 'range-reversed-by-less-than-a-second',
    breaks:
      'Export: the request is invalid, for example range_start is later than range_end … (400)',
    does: 'bounds are compared by the second, so a range_start 999 ms later than range_end is accepted',
    hooks: () => ({
      problem: (problem, { query: { from, to } }) =>
        problem?.kind === 'RANGE_REVERSED' && (from ?? 0) - (to ?? 0) < 1000 ? null : problem,
    }),
  }),
  stated({
    name: 'range-end-lost-for-pdf-with-filter',
    breaks: 'Includes events up to and including this time.',
    does: 'a PDF with a filter holds events after range_end too',
    warns: 'that a range and a filter hold together is the natural reading',
    hooks: () => ({
      verdicts: (verdicts, { query }) =>
        query.file === 'pdf' && 'range_end' in verdicts && Object.keys(query.lists).length > 0
          ? { ...verdicts, range_end: true }
          : verdicts,
    }),
  }),
  natural({
    name: 'two-filters-ored',
    breaks: 'natural: an event has to pass every filter that is given',
    does: 'with event_type and system_source together, passing one of the two is enough',
    hooks: () => ({
      kept: (kept, { verdicts }) => {
        const { event_type, system_source, ...rest } = verdicts
        if (event_type === undefined || system_source === undefined) return kept
        return (event_type || system_source) && Object.values(rest).every(Boolean)
      },
    }),
  }),
  natural({
    name: 'metadata-matches-part-of-value',
    breaks: 'natural: a metadata filter finds the events that hold exactly that value',
    does: 'a value of tag or workflow_step is searched for anywhere in what the event holds',
    hooks: () => ({
      verdicts: (verdicts, { event, query }) => {
        const turned = { ...verdicts }
        for (const key of ['tag', 'workflow_step'] as const) {
          const held = event.metadata[key] ?? ''
          const wanted = query.metadata[key]
          if (wanted) turned[`metadata.${key}`] = wanted.some((part) => held.includes(part))
        }
        return turned
      },
    }),
  }),
  natural({
    name: 'newest-event-left-out',
    breaks: 'natural: an event can be exported as soon as it is recorded',
    does: 'the newest event of all is missing in every export until there is a newer one',
    hooks: () => ({
      chosen: (events, { all }) => events.filter((event) => event !== all.at(-1)),
    }),
  }),
] as const
