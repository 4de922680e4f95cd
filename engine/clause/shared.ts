import type { Recorder } from '../http/client.ts'
import type { Exchange } from '../http/exchange.ts'

type Finding = { value: Promise<unknown>; evidence: Exchange[] }

/** Computes a finding once per run; every clause that asks gets its evidence too. */
export type SharedOf<Service> = <T>(of: unknown, find: Find<Service, T>) => Promise<T>

type Find<Service, T> = (service: Service, shared: SharedOf<Service>) => Promise<T>

export type Findings = Map<unknown, Finding>

export function sharedAmong<Service>(
  findings: Findings,
  serviceFor: (record: Recorder) => Service,
  record: Recorder,
): SharedOf<Service> {
  return async <T>(of: unknown, find: Find<Service, T>) => {
    let finding = findings.get(of)
    if (!finding) {
      const evidence: Exchange[] = []
      const service = serviceFor((exchange) => evidence.push(exchange))
      const inner = sharedAmong(findings, serviceFor, (exchange) => evidence.push(exchange))
      finding = { value: find(service, inner), evidence }
      findings.set(of, finding)
    }
    try {
      return (await finding.value) as T
    } finally {
      for (const exchange of finding.evidence) record(exchange)
    }
  }
}
