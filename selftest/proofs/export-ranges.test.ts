import { faultsOfTimes, faults as malformed } from './faults/export/malformed.ts'
import { rangeFaultsOfPdf, zoneFaultsOfPdf } from './faults/export/pdf-parts.ts'
import { faults as rangeFaults } from './faults/export/ranges.ts'
import { faults as reversedFaults } from './faults/export/reversed-ranges.ts'
import { localeFaults, zoneFaults } from './faults/export/zones.ts'
import { proveArea } from './prove-area.ts'
import { variants } from './variants/export-ranges.ts'

const [ranges, zones, locales] = ['export.range.*', 'export.timezone.*', 'export.locale*']

proveArea(ranges, [...rangeFaults, ...reversedFaults])
proveArea([ranges, 'export.timezone.offset'], faultsOfTimes)
proveArea('export.range.malformed', malformed)
proveArea(zones, zoneFaults)
proveArea(locales, localeFaults)
proveArea('export.range.pdf*', rangeFaultsOfPdf)
proveArea('export.timezone.pdf*', zoneFaultsOfPdf)
proveArea([ranges, zones, locales], [], variants)
