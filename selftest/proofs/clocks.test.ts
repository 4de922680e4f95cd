import { proveTrials } from './prove-area.ts'
import { ofClocks } from './trials.ts'

proveTrials('a service with another clock is checked as far as any:', ofClocks())
