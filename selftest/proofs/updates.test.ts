import { proveArea } from './prove-area.ts'
import { variants as manners } from './variants/update-manners.ts'
import { variants as refusals } from './variants/update-refusals.ts'

proveArea(['assign.*', 'version.*'], [], [...refusals, ...manners])
