import type { Exchange } from '../../../engine/http/exchange.ts'
import type { DueStatuses } from '../../../engine/run/contract.ts'
import type { Breach } from '../../../engine/run/report.ts'

export type Symptom = {
  key: string
  /** what several clauses have in common; default: what the first does not find */
  title?: string
  /** the service lets a caller read or change what the caller may not */
  isGrave?: boolean
}

/** By what a cause is recognised, beside the finding. */
export type Scene = {
  breach: Breach
  /** the first exchange that was judged */
  judged: Partial<Exchange>
  /** its kind of request: "PUT /tasks/…/update-assignment" */
  route: string
  statement: string
  /** none in an older report */
  statuses: Partial<DueStatuses>
}

export const isAccepted = ({ status = 0 }: Partial<Exchange>): boolean =>
  status >= 200 && status < 300
