import { type Exchange, traceIdOf } from '../engine/http/exchange.ts'
import { describeSuite, type Report } from '../engine/run/report.ts'
import { evidenceOf } from './parts/evidence.ts'

export function harOf(report: Report): string {
  const { target, suiteVersion, verdict, interrupted } = report
  const revision = target.revision === undefined ? '' : `; revision ${target.revision}`
  const clausesBy = new Map<number, string[]>(report.exchanges.map(({ number }) => [number, []]))
  for (const clause of report.clauses)
    for (const { role, exchange } of evidenceOf(clause, report))
      clausesBy.get(exchange.number)?.push(role === 'set-up' ? clause.id : `${clause.id} (${role})`)
  const log = {
    version: '1.2',
    creator: { name: 'task-assignment-contract', version: suiteVersion },
    comment: `${verdict}${interrupted ? ' (interrupted)' : ''}; bodies are kept as BODIES says; ${describeSuite(report)}${revision}`,
    entries: report.exchanges.map((exchange) =>
      entryOf(exchange, clausesBy.get(exchange.number) ?? [], target.baseUrl),
    ),
  }
  return `${JSON.stringify({ log }, null, 1)}\n`
}

const version = 'HTTP/1.1'

function entryOf(exchange: Exchange, clauses: string[], baseUrl: string) {
  const { start, milliseconds, attempt, trouble, requestBody, headers = {} } = exchange
  const { body, bodyBytes = -1, bodySha256 } = exchange
  const trace = traceIdOf(exchange)
  const type = headerIn(headers, 'content-type')
  return {
    startedDateTime: start,
    time: milliseconds,
    request: {
      method: exchange.method,
      url: `${exchange.base ?? baseUrl}${exchange.path}`,
      httpVersion: version,
      cookies: [],
      headers: listOf(Object.entries(exchange.requestHeaders)),
      queryString: listOf(new URLSearchParams(exchange.path.split('?').slice(1).join('?'))),
      ...(requestBody !== undefined && {
        postData: {
          mimeType: headerIn(exchange.requestHeaders, 'content-type'),
          text: requestBody,
        },
      }),
      headersSize: -1,
      bodySize: requestBody === undefined ? -1 : Buffer.byteLength(requestBody),
    },
    response: {
      // Browsers show 0 as a request that failed.
      status: exchange.status ?? 0,
      statusText: '',
      httpVersion: version,
      cookies: [],
      headers: listOf(Object.entries(headers)),
      content: {
        size: bodyBytes,
        mimeType: type,
        ...(body !== undefined && { text: body }),
        ...(bodySha256 && { comment: `SHA-256 ${bodySha256}` }),
      },
      redirectURL: headerIn(headers, 'location'),
      headersSize: -1,
      bodySize: bodyBytes,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment: [
      clauses.join(', '),
      ...(trace ? [`trace ${trace}`] : []),
      ...(attempt > 1 ? [`attempt ${attempt}`] : []),
      ...(trouble ? [trouble] : []),
    ].join('; '),
  }
}

const listOf = (values: Iterable<[string, string]>) =>
  [...values].map(([name, value]) => ({ name, value }))

const headerIn = (headers: Record<string, string>, wanted: string) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
