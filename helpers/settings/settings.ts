export type ArrayEncoding = 'auto' | 'repeat' | 'brackets' | 'indices' | 'comma'

/** Everything a run can be told, validated. Plain data: it is handed to the worker as it is. */
export type Settings = {
  /** no trailing slash; empty until the embedded service has started */
  baseUrl: string
  /** no address was configured: the embedded reference service is tested */
  embedded: boolean
  apiKey: string
  taskIds: string[]
  readTaskIds: string[]
  assessmentIds: string[]
  actorId?: string
  userIds: string[]
  teamIds: string[]
  reportsDir: string
  journalDir: string
  mailboxUrl?: string
  wrongRegionUrl?: string
  outsideProxyUrl?: string
  arrayEncoding: ArrayEncoding
  proxyUrl?: string
  caFile?: string
  clientCertFile?: string
  clientKeyFile?: string
  requestsPerSecond?: number
  concurrency: number
  timeoutMs: number
  maxExportMb: number
  seed: number
  settleMs: number
  mailWaitS: number
  auditWaitS: number
  runTimeoutS: number
  userMails: Record<string, string[]>
  teamMails: Record<string, string[]>
  exportFrom?: string
  exportTo?: string
  metadataValues: Record<string, string[]>
  maxWrites?: number
  readOnly: boolean
  strict: boolean
  bodies: 'none' | 'failed' | 'all'
  /** what was repaired or looks odd, in sentences for the reader */
  notices: string[]
}
