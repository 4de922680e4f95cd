import type { Recorder } from '../http/client.ts'
import type { Exchange } from '../http/exchange.ts'

type Finding = { value: Promise<unknown>; evidence: Exchange[] }

/**
 * Finds something out once a run; every clause that asks for it gets the evidence too. It goes by a
 * name that one file alone uses, or by a value that several are handed.
 */
export type SharedOf<Service> = <T>(
  of: unknown,
  find: (service: Service, shared: SharedOf<Service>) => Promise<T>,
) => Promise<T>

/** What the clauses of a run have found out together, by what they are of. */
export type Findings = Map<unknown, Finding>

/** The view that one clause has of the findings of its run. */
export function sharedAmong<Service>(
  findings: Findings,
  serviceFor: (record: Recorder) => Service,
  record: Recorder,
): SharedOf<Service> {
  return async (of, find) => {
    let finding = findings.get(of)
    if (!finding) {
      const evidence: Exchange[] = []
      const service = serviceFor((exchange) => evidence.push(exchange))
      const inner = sharedAmong(findings, serviceFor, (exchange) => evidence.push(exchange))
      finding = { value: find(service, inner), evidence }
      findings.set(of, finding)
    }
    try {
      return (await finding.value) as never
    } finally {
      for (const exchange of finding.evidence) record(exchange)
    }
  }
}
