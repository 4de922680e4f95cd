import { wordsOf } from '../long.ts'
import { inWindow } from './bent/exports.ts'
import type { Bent, Fault, Proofs } from './fault.ts'
import {
  commentFaults as comments,
  faults as ofAssignment,
  transitionFaults as transitions,
} from './faults/assignment.ts'
import { furtherFaults, ledgerFaults, trailFaults } from './faults/audit.ts'
import { faults as ofKeys } from './faults/authentication.ts'
import { collisions, faults as ofConcurrency } from './faults/concurrency.ts'
import { bystanders, lateEffects, readBack, undone, unshown } from './faults/effects.ts'
import { edges, fineBounds, lossy, noRange, oddBounds } from './faults/export/bounds.ts'
import { faults as combined, handed } from './faults/export/combined.ts'
import { besideNumbers, faults as csvFaults, marks, titled, untitled } from './faults/export/csv.ts'
import { byArea, mixing } from './faults/export/filters.ts'
import { exportKeys as ofExport } from './faults/export/metadata.ts'
import {
  faults as pdfFaults,
  rangeFaultsOfPdf,
  realLimit,
  twiceInPdf,
  zoneFaultsOfPdf,
} from './faults/export/pdf.ts'
import {
  faultsOfRecords,
  faultsOfTimes,
  malformed,
  faults as rangeFaults,
  refusedCsv,
  reversedRanges as reversedFaults,
} from './faults/export/ranges.ts'
import { localeFaults, zoneFaults } from './faults/export/zones.ts'
import {
  actorFaults,
  faults as further,
  memberFaults,
  versionFaults,
} from './faults/further-updates.ts'
import { mailFaults, mailLedgerFaults } from './faults/mails.ts'
import { answeredByGateway, faults as ofAnswers, unanswered } from './faults/on-the-wire.ts'
import {
  assessmentFaults as ofAssessments,
  otherKinds as ofOtherKinds,
  taskFaults as ofTasks,
} from './faults/reads.ts'
import { faults as refused } from './faults/refused-updates.ts'
import { versionForms } from './faults/versions.ts'
import {
  hiddenTrails,
  idleTrail,
  lateMailVariants,
  mailVariants,
  pdfTrails,
  trailVariants,
  uncommented,
} from './variants/audit.ts'
import { variants as ofAccess } from './variants/authentication.ts'
import { variants as columns } from './variants/export-columns.ts'
import { readableTimes, unsteady } from './variants/export-dates.ts'
import { variants as ofFiles, quoting } from './variants/export-file.ts'
import {
  variants as ofFilters,
  otherOrders,
  combinedForms as refusing,
} from './variants/export-filters.ts'
import { variants as ofRanges } from './variants/export-ranges.ts'
import {
  ofLines,
  variants as ofRecords,
  realLimit as repeatedTitles,
} from './variants/export-records.ts'
import {
  besideOthers,
  kept,
  ofLimit,
  serial,
  ofFilters as unclear,
  ofRanges as unclearRanges,
} from './variants/export-unclear.ts'
import { variants as lent, sameVersions } from './variants/lent.ts'
import { otherKinds as alsoOtherKinds, variants } from './variants/reads.ts'
import { manners, refusals } from './variants/updates.ts'

const ofPdf = ['export.pdf.*', 'export.pdf-*']
const ofCsv = wordsOf(`
  export.csv* export.default-* export.no-filter* export.deterministic export.text-intact
  export.invalid.* export.error-* export.unknown-parameter
`)
const silences = wordsOf(`
  export.delivery export.file-name export.header-row export.columns export.delimiter export.bom
  export.line-ending export.row-order export.dates export.formula-cells
`)

const exportFile: Proofs[] = [
  { by: 'export.cells-are-values.*', faults: marks, variants: quoting },
  { by: 'export.csv.titles', faults: untitled },
  { by: ofCsv, faults: [...csvFaults, ...noRange] },
  // By files of other languages and with filters.
  {
    by: [...ofCsv, 'export.locale.same-events', 'export.metadata.tag.exact'],
    faults: titled,
  },
  { by: 'export.deterministic.*', faults: mixing, variants: kept },
  {
    by: ['export.range.split.rows', 'export.filter.same-rows', 'export.few-events.*'],
    faults: edges,
    variants: kept,
  },
  { by: ['export.range.open-ended', 'export.no-filter.rows'], variants: kept },
  { by: ofPdf, faults: pdfFaults },
  { by: ['export.*', 'task.read.*'], variants: serial },
  { by: ['export.pdf-limit.*', 'export.range.split.rows'], faults: lossy },
  { by: [...ofCsv, ...ofPdf, 'export.metadata.*', 'export.range.*'], faults: handed },
  { by: ['export.pdf-limit.*'], faults: realLimit, variants: repeatedTitles },
  // Without these, another clause has to be decided: otherwise nothing was.
  { by: ['export.pdf-limit.*', 'export.csv.status', 'export.pdf.status'], variants: ofLimit },
  {
    by: ['export.few-events.*', 'export.deterministic.*', 'export.csv.status'],
    variants: besideOthers,
  },
  { by: [...ofCsv, ...ofPdf, ...silences], variants: ofFiles },
]

const exportLines: Proofs[] = [{ by: 'export.*', variants: ofLines }]

const exportRecords: Proofs[] = [
  { by: ['export.filter.event_type.*', 'export.pdf-limit.over'], faults: faultsOfRecords },
  { by: 'export.*', variants: ofRecords },
]

const parameters = [
  'export.filter.*_*',
  'export.filter.several-*',
  'export.filter.conjunction',
  'export.filter.partition',
  'export.filter.one-bound',
]
const metadata = ['export.metadata.*', 'export.query-forms']

const exportFilters: Proofs[] = [
  { by: parameters, faults: byArea.ofParameters },
  { by: metadata, faults: byArea.ofMetadata },
  { by: [...parameters, ...metadata], faults: byArea.ofBoth },
  { by: ['export.filter.pdf'], faults: byArea.ofPdf },
  { by: ['export.filter.combined.*', 'export.filter.pdf'], faults: combined, variants: refusing },
  // If nothing can be exported, another clause has to be checked: otherwise nothing was.
  {
    by: [...parameters, ...metadata, 'export.filter.combined.*', 'auth.missing-key.*'],
    variants: [...ofFilters, ...unclear, ...columns],
  },
]

const [ranges, zones, locales] = ['export.range.*', 'export.timezone.*', 'export.locale*']

const exportRanges: Proofs[] = [
  { by: ranges, faults: [...rangeFaults, ...reversedFaults, ...oddBounds, ...fineBounds] },
  { by: [ranges, 'export.timezone.offset'], faults: faultsOfTimes },
  { by: 'export.range.malformed', faults: malformed },
  { by: ['export.range.malformed', 'export.range.reversed.csv'], faults: refusedCsv },
  { by: zones, faults: [...zoneFaults, ...besideNumbers] },
  { by: locales, faults: localeFaults },
  { by: 'export.range.pdf*', faults: rangeFaultsOfPdf },
  { by: 'export.timezone.pdf*', faults: zoneFaultsOfPdf },
  { by: ['export.timezone.pdf', 'export.locale.pdf'], faults: twiceInPdf },
  { by: [ranges, zones, locales], variants: [...ofRanges, ...readableTimes, ...otherOrders] },
  {
    by: [ranges, zones, locales, 'export.default-locale*', 'export.invalid.timezone'],
    variants: unclearRanges,
  },
  {
    by: ['export.default-csv', 'export.default-locale', zones, locales],
    variants: unsteady.map(inWindow),
  },
]

const authentication: Proofs[] = [
  { by: 'auth.*', faults: [...ofKeys, ...ofExport, ...answeredByGateway.keys], variants: ofAccess },
]

const task: Proofs[] = [{ by: 'task.*', faults: ofTasks, variants }]

const assessment: Proofs[] = [{ by: 'assessment.*', faults: ofAssessments, variants }]

const otherKinds: Proofs[] = [
  {
    by: ['task.*', 'assessment.*', 'assign.not-found.*'],
    faults: [...ofOtherKinds, ...answeredByGateway.ids],
    variants: alsoOtherKinds,
  },
]

const onTheWire: Proofs[] = [{ by: ['task.*', 'assign.*', 'version.*'], faults: ofAnswers }]

const assignment: Proofs[] = [
  {
    by: 'assign.*',
    faults: [
      ...transitions,
      ...ofAssignment,
      ...bystanders,
      ...comments,
      ...refused,
      ...further,
      ...memberFaults,
      ...undone,
    ],
  },
  { by: 'assign.persisted.*', faults: unshown },
  // Any update may show it: most of them are those of the walk.
  { by: ['assign.*', 'version.model'], faults: readBack },
]

const updates: Proofs[] = [
  { by: ['assign.*', 'version.*'], variants: [...refusals, ...manners] },
  {
    by: ['auth.*', 'task.*', 'assessment.*', 'assign.*', 'version.*', 'notify.*', 'audit.*'],
    variants: lent,
  },
]

const concurrency: Proofs[] = [
  { by: ['version.wrong.other-task', 'task.read.success'], variants: [sameVersions] },
  // These make enough accepted updates to learn the settle window.
  {
    by: ['version.*', 'assign.comment.*', 'assign.required.*', 'auth.refused-changes-nothing'],
    faults: lateEffects,
  },
  {
    by: 'version.*',
    faults: [
      ...ofConcurrency,
      ...versionForms,
      ...versionFaults,
      ...unanswered,
      ...collisions,
      ...answeredByGateway.versions,
    ],
  },
]

/** The run makes what it needs: few earlier events are enough. */
const quick = <B extends Bent>(bent: B): B => ({ events: 100, ...bent })

const audit: Proofs[] = [
  {
    by: 'audit.*',
    faults: [...trailFaults, ...actorFaults].map(quick),
    variants: [...trailVariants, ...pdfTrails].map(quick),
  },
  {
    by: ['audit.*', 'version.*'],
    faults: ledgerFaults.map(quick),
    variants: [uncommented, ...hiddenTrails].map(quick),
  },
  {
    by: ['audit.all*', 'assign.*'],
    faults: furtherFaults.map(quick),
    variants: [quick(idleTrail)],
  },
  { by: 'notify.*', faults: mailFaults.map(quick), variants: mailVariants.map(quick) },
  {
    by: ['notify.*', 'assign.*', 'version.*'],
    faults: mailLedgerFaults.map(quick),
    variants: [...lateMailVariants, uncommented].map(quick),
  },
]

/** Every fault and variant with the clauses that judge it. */
export const areas: Proofs[] = [
  ...authentication,
  ...task,
  ...assessment,
  ...otherKinds,
  ...onTheWire,
  ...assignment,
  ...updates,
  ...concurrency,
  ...audit,
  ...exportFile,
  ...exportLines,
  ...exportRecords,
  ...exportFilters,
  ...exportRanges,
]

export const faults: Fault[] = areas.flatMap(({ faults = [] }) => faults)
