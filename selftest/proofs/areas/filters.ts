import { inWindow } from '../bent/export-window.ts'
import type { Proofs } from '../fault.ts'
import { besideNumbers } from '../faults/export/beside-numbers.ts'
import { faults as combined } from '../faults/export/combined.ts'
import { byArea } from '../faults/export/filters.ts'
import { fineBounds } from '../faults/export/fine-bounds.ts'
import { localeFaults } from '../faults/export/locales.ts'
import { faultsOfTimes, faults as malformed, refusedCsv } from '../faults/export/malformed.ts'
import { oddBounds } from '../faults/export/odd-bounds.ts'
import { rangeFaultsOfPdf, twiceInPdf, zoneFaultsOfPdf } from '../faults/export/pdf-parts.ts'
import { faults as rangeFaults } from '../faults/export/ranges.ts'
import { faults as reversedFaults } from '../faults/export/reversed-ranges.ts'
import { zoneFaults } from '../faults/export/zones.ts'
import { variants as columns } from '../variants/export-columns.ts'
import { otherOrders, variants as refusing } from '../variants/export-combined.ts'
import { unsteady } from '../variants/export-dates.ts'
import { variants as ofFilters } from '../variants/export-filters.ts'
import { variants as ofRanges } from '../variants/export-ranges.ts'
import { ofFilters as unclear, ofRanges as unclearRanges } from '../variants/export-unclear.ts'
import { readableTimes } from '../variants/readable-times.ts'

const parameters = [
  'export.filter.*_*',
  'export.filter.several-*',
  'export.filter.conjunction',
  'export.filter.partition',
  'export.filter.one-bound',
]
const metadata = ['export.metadata.*', 'export.query-forms']

export const exportFilters: Proofs[] = [
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

export const exportRanges: Proofs[] = [
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
