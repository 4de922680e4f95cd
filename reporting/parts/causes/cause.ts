import type { Symptom } from '../../../engine/findings/symptom.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import type { DueStatuses } from '../../../engine/run/contract.ts'
import type { Breach } from '../../../engine/run/report.ts'

/** By what a cause is recognised, beside the finding. */
export type Scene = {
  breach: Breach
  /** the first exchange that was judged */
  judged: Partial<Exchange>
  /** its kind of request: "PUT /tasks/…/update-assignment" */
  route: string
  /** none in an older report */
  statuses: Partial<DueStatuses>
}

/** A breach with what it shows. A clause of a report of version 1 has no breach. */
export type Fact = {
  breach?: Breach
  symptoms: readonly Symptom[]
  statuses: Scene['statuses']
}

export const isAccepted = ({ status = 0 }: Partial<Exchange>): boolean =>
  status >= 200 && status < 300
