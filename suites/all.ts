// The one entry of a run: one file starts in a fraction of the time that one for each suite takes.
import './authentication.ts'
import './task.ts'
import './assessment.ts'
