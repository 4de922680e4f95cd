import type { Transport } from './transport.ts'

/** What a client has to know of a service and of the way to it. */
export type ClientSettings = {
  /** no trailing slash */
  baseUrl: string
  apiKey: string
  /** the header that the key goes in */
  keyHeader: string
  userAgent: string
  /** sends a `traceparent` of its own with each request */
  trace?: boolean
  /** sent with each request to the service, for a gateway in front of it; secret like the key */
  extraHeaders?: Record<string, string>
  concurrency: number
  requestsPerSecond?: number
  /** to the first byte of a file, which may take long to make */
  downloadTimeoutS: number
  seed: number
  /** the folder in which whole files are kept by their digests; left out: none is */
  keepFiles?: string
} & WaySettings

/** How the service is reached. */
export type WaySettings = {
  timeoutMs: number
  maxExportMb: number
  proxyUrl?: string
  caFile?: string
  clientCertFile?: string
  clientKeyFile?: string
  /** left out: sockets */
  transport?: Transport
}
