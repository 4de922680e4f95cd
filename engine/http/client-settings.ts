import type { Transport } from './transport.ts'

export type ClientSettings = {
  baseUrl: string
  apiKey: string
  keyHeader: string
  userAgent: string
  trace?: boolean
  /** sent with each request, for a gateway; secret like the key */
  extraHeaders?: Record<string, string>
  concurrency: number
  requestsPerSecond?: number
  downloadTimeoutS: number
  seed: number
  /** a folder to keep whole files in, by digest; default: none is kept */
  keepFiles?: string
} & WaySettings

export type WaySettings = {
  timeoutMs: number
  maxExportMb: number
  proxyUrl?: string
  caFile?: string
  clientCertFile?: string
  clientKeyFile?: string
  transport?: Transport
}
