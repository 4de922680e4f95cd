// Before every file of tests: where it goes is recorded for itself.
import { memory } from './runtime.ts'

memory?.reached.fill(0)
