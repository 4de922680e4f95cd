import { proveTrials } from './prove-area.ts'
import { ofHidden } from './trials.ts'

proveTrials('nothing hides in a skip', ofHidden())
