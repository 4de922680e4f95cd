import { wordsOf } from '../long.ts'
import { inWindow } from './bent/exports.ts'
import type { Bent, Fault, Proofs } from './fault.ts'
import * as updates from './faults/assignment.ts'
import * as trail from './faults/audit.ts'
import * as keys from './faults/authentication.ts'
import * as versions from './faults/concurrency.ts'
import * as effects from './faults/effects.ts'
import * as bounds from './faults/export/bounds.ts'
import * as combined from './faults/export/combined.ts'
import * as csv from './faults/export/csv.ts'
import * as filters from './faults/export/filters.ts'
import * as metadata from './faults/export/metadata.ts'
import * as pdf from './faults/export/pdf.ts'
import * as ranges from './faults/export/ranges.ts'
import * as zones from './faults/export/zones.ts'
import * as wire from './faults/on-the-wire.ts'
import * as member from './faults/one-member.ts'
import * as reads from './faults/reads.ts'
import * as refused from './faults/refused-updates.ts'
import * as otherTrails from './variants/audit.ts'
import * as otherDates from './variants/export-dates.ts'
import * as otherFiles from './variants/export-file.ts'
import * as otherFilters from './variants/export-filters.ts'
import * as otherLimits from './variants/export-limits.ts'
import * as otherRanges from './variants/export-ranges.ts'
import * as otherRecords from './variants/export-records.ts'
import * as unclear from './variants/export-unclear.ts'
import * as otherReads from './variants/reads.ts'
import * as otherUpdates from './variants/updates.ts'

const inPdf = 'export.pdf.* export.pdf-*'
const inCsv = `export.csv* export.default-* export.no-filter* export.deterministic export.text-intact
  export.invalid.* export.error-* export.unknown-parameter`
const silences = `export.delivery export.file-name export.header-row export.columns export.delimiter
  export.bom export.line-ending export.row-order export.dates export.formula-cells`
const parameters = `export.filter.*_* export.filter.several-* export.filter.conjunction
  export.filter.partition export.filter.one-bound`
const ofMetadata = 'export.metadata.* export.query-forms'
const inZones = 'export.range.* export.timezone.* export.locale*'

/** The run makes what it needs: few earlier events are enough. */
const quick = <B extends Bent>(bents: readonly B[]): B[] =>
  bents.map((bent) => ({ events: 100, ...bent }))

/** Faults and variants with the clauses that judge them. */
const judged: (Omit<Proofs, 'by'> & { by: string })[] = [
  {
    by: 'auth.*',
    faults: [...keys.faults, ...metadata.exportKeys, ...wire.answeredByGateway.keys],
    variants: otherReads.accessVariants,
  },
  {
    by: 'auth.* task.* assign.* version.* audit.* notify.*',
    faults: quick(member.faults),
  },
  { by: 'task.*', faults: reads.taskFaults, variants: otherReads.variants },
  { by: 'assessment.*', faults: reads.assessmentFaults, variants: otherReads.variants },
  {
    by: 'task.* assessment.* assign.not-found.*',
    faults: [...reads.otherKinds, ...wire.answeredByGateway.ids],
    variants: otherReads.otherKinds,
  },
  { by: 'task.* assign.* version.*', faults: wire.faults },
  { by: 'assign.*', faults: [...updates.faults, ...effects.faults, ...refused.faults] },
  { by: 'auth.* assign.* version.*', faults: updates.unstored },
  { by: 'assign.persisted.*', faults: effects.unshown },
  // Any update may show it: most of them are those of the walk.
  { by: 'assign.* version.model', faults: effects.readBack },
  { by: 'assign.* version.*', variants: [...otherUpdates.refusals, ...otherUpdates.manners] },
  {
    by: 'auth.* task.* assessment.* assign.* version.* notify.* audit.*',
    variants: otherReads.lentVariants,
  },
  { by: 'version.wrong.other-task task.read.success', variants: [otherReads.sameVersions] },
  // These make enough accepted updates to learn the settle window.
  {
    by: 'version.* assign.comment.* assign.required.* auth.refused-changes-nothing',
    faults: effects.lateEffects,
  },
  {
    by: 'version.*',
    faults: [
      ...versions.faults,
      ...wire.versionForms,
      ...refused.versionFaults,
      ...wire.answeredByGateway.versions,
    ],
  },
  {
    by: 'audit.*',
    faults: quick([...trail.trailFaults, ...refused.actorFaults]),
    variants: quick(otherTrails.trailVariants),
  },
  {
    by: 'audit.* version.*',
    faults: quick(trail.ledgerFaults),
    variants: quick([otherTrails.uncommented, ...otherTrails.hiddenTrails]),
  },
  {
    by: 'audit.all* assign.*',
    faults: quick(trail.furtherFaults),
    variants: quick([otherTrails.idleTrail]),
  },
  { by: 'notify.*', faults: quick(trail.mailFaults), variants: quick(otherTrails.mailVariants) },
  {
    by: 'notify.* assign.* version.*',
    faults: quick(trail.mailLedgerFaults),
    variants: quick([...otherTrails.lateMailVariants, otherTrails.uncommented]),
  },
  { by: 'export.cells-are-values.*', faults: csv.marks, variants: otherFiles.quoting },
  { by: 'export.csv.titles', faults: csv.untitled },
  { by: inCsv, faults: [...csv.faults, ...bounds.noRange] },
  // By files of other languages and with filters.
  { by: `${inCsv} export.locale.same-events export.metadata.tag.exact`, faults: csv.titled },
  { by: 'export.deterministic.*', faults: filters.mixing, variants: unclear.kept },
  {
    by: 'export.range.split.rows export.filter.same-rows export.few-events.*',
    faults: bounds.edges,
    variants: unclear.kept,
  },
  { by: 'export.range.open-ended export.no-filter.rows', variants: unclear.kept },
  { by: inPdf, faults: pdf.faults },
  { by: 'export.* task.read.*', variants: unclear.serial },
  { by: 'export.pdf-limit.* export.range.split.rows', faults: bounds.lossy },
  { by: `${inCsv} ${inPdf} export.metadata.* export.range.*`, faults: combined.handed },
  { by: 'export.pdf-limit.*', faults: pdf.realLimit, variants: otherRecords.realLimit },
  // Without these, another clause has to be decided: otherwise nothing was.
  { by: 'export.pdf-limit.* export.csv.status export.pdf.status', variants: unclear.ofLimit },
  {
    by: 'export.few-events.* export.deterministic.* export.csv.status',
    variants: unclear.besideOthers,
  },
  { by: `${inCsv} ${inPdf} ${silences}`, variants: otherFiles.variants },
  { by: 'export.filter.event_type.* export.pdf-limit.over', faults: ranges.faultsOfRecords },
  { by: 'export.*', variants: otherLimits.csvLimits },
  { by: 'export.*', variants: [...otherRecords.ofLines, ...otherRecords.variants] },
  { by: parameters, faults: filters.byArea.ofParameters },
  { by: ofMetadata, faults: filters.byArea.ofMetadata },
  { by: `${parameters} ${ofMetadata}`, faults: filters.byArea.ofBoth },
  { by: 'export.filter.pdf', faults: filters.byArea.ofPdf },
  // Where no file can be judged, another clause has to be checked.
  {
    by: 'export.filter.combined.* export.filter.pdf auth.missing-key.task.read',
    faults: combined.faults,
    variants: otherFilters.combinedForms,
  },
  // If nothing can be exported, another clause has to be checked: otherwise nothing was.
  {
    by: `${parameters} ${ofMetadata} export.filter.combined.* auth.missing-key.*`,
    variants: [...otherFilters.variants, ...unclear.ofFilters, ...unclear.variants],
  },
  {
    by: 'export.range.*',
    faults: [...ranges.faults, ...ranges.reversedRanges, ...bounds.oddBounds, ...bounds.fineBounds],
  },
  { by: 'export.range.*', faults: bounds.splits },
  { by: 'export.range.* export.timezone.offset', faults: ranges.faultsOfTimes },
  { by: 'export.range.malformed', faults: ranges.malformed },
  { by: 'export.range.malformed export.range.reversed.csv', faults: ranges.refusedCsv },
  { by: 'export.timezone.*', faults: [...zones.zoneFaults, ...csv.besideNumbers] },
  { by: 'export.locale*', faults: zones.localeFaults },
  { by: 'export.range.pdf*', faults: pdf.rangeFaultsOfPdf },
  { by: 'export.timezone.pdf*', faults: pdf.zoneFaultsOfPdf },
  { by: 'export.timezone.pdf export.locale.pdf', faults: pdf.twiceInPdf },
  {
    by: inZones,
    variants: [...otherRanges.variants, ...otherDates.readableTimes, ...otherFilters.otherOrders],
  },
  { by: `${inZones} export.default-locale* export.invalid.timezone`, variants: unclear.ofRanges },
  {
    by: 'export.default-csv export.default-locale export.timezone.* export.locale*',
    variants: otherDates.unsteady.map(inWindow),
  },
]

export const areas: Proofs[] = judged.map(({ by, ...proofs }) => ({ by: wordsOf(by), ...proofs }))

export const faults: Fault[] = areas.flatMap(({ faults = [] }) => faults)
