/** What a client has to know of a service and of the way to it. */
export type ClientSettings = {
  /** no trailing slash */
  baseUrl: string
  apiKey: string
  /** the header that the key goes in */
  keyHeader: string
  userAgent: string
  concurrency: number
  requestsPerSecond?: number
  timeoutMs: number
  /** to the first byte of a file, which may take long to make */
  downloadTimeoutS: number
  maxExportMb: number
  seed: number
} & WaySettings

/** How the service is reached. */
export type WaySettings = {
  timeoutMs: number
  proxyUrl?: string
  caFile?: string
  clientCertFile?: string
  clientKeyFile?: string
}
