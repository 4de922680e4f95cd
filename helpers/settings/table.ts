import type { Transport } from '../../engine/http/transport.ts'
import {
  address,
  either,
  folder,
  id,
  ids,
  key,
  oneOf,
  pastInstant,
  pem,
  rate,
  toggle,
  wholeNumber,
} from '../../engine/settings/parsers.ts'
import type { SettingsOf, Table, TextsOf, ValuesOf } from '../../engine/settings/table.ts'
import { declarableEncodings } from '../contract/list-encodings.ts'
import { keyOf } from '../contract/metadata-keys.ts'
import { pdfLimitInWords } from '../contract/pdf-limit.ts'
import { arrayEncoding, headerName, headers, mails, metadata, notPermitted } from './pairs.ts'
import type { ProfileName } from './profiles.ts'
import type { versions } from './versions.ts'

const severalIds = { kind: ids, default: [] as string[] }
const off = { kind: toggle, default: false }

/** Every setting: reading, defaults, types, .env.example and docs/settings.md use this table. */
export const table = {
  BASE_URL: {
    meaning: 'base of the service, normally ending in /v5; unset: the embedded reference service',
    example: 'https://api.example.com/v5',
    kind: address('https://api.example.com/v5'),
  },
  API_KEY: {
    meaning: 'the key of the service; never printed and never stored',
    example: 'your-key',
    kind: key,
  },
  TASK_IDS: {
    meaning: 'tasks that the run may change and puts back; unset: clauses that change a task skip',
    example: '123e4567-e89b-12d3-a456-426614174000,123e4567-e89b-12d3-a456-426614174001',
    ...severalIds,
  },
  READ_TASK_IDS: {
    meaning: 'further tasks, only read',
    example: '123e4567-e89b-12d3-a456-426614174010',
    ...severalIds,
  },
  ASSESSMENT_IDS: {
    meaning: 'assessments to read, in any state',
    example: '123e4567-e89b-12d3-a456-426614174020,123e4567-e89b-12d3-a456-426614174021',
    ...severalIds,
  },
  ACTOR_ID: {
    meaning: 'the user in whose name tasks are assigned',
    example: '123e4567-e89b-12d3-a456-426614174030',
    kind: id,
  },
  USER_IDS: {
    meaning: 'two or more users to assign to',
    example: '123e4567-e89b-12d3-a456-426614174040,123e4567-e89b-12d3-a456-426614174041',
    ...severalIds,
  },
  TEAM_IDS: {
    meaning: 'one or more teams to assign to',
    example: '123e4567-e89b-12d3-a456-426614174050',
    ...severalIds,
  },
  USER_MAILS: {
    meaning: "the users' email addresses, if known",
    example: '123e4567-e89b-12d3-a456-426614174040=ada@example.com;ada@example.org',
    kind: mails,
    default: {} as Record<string, string[]>,
  },
  TEAM_MAILS: {
    meaning: "the email addresses of the teams' members, if known",
    example: '123e4567-e89b-12d3-a456-426614174050=ada@example.com;bob@example.com',
    kind: mails,
    default: {} as Record<string, string[]>,
  },
  MAILBOX_URL: {
    meaning:
      "Mailpit-compatible HTTP API that receives the service's emails; reading marks them as read",
    example: 'http://localhost:8025',
    kind: address('http://localhost:8025'),
  },
  EXPORT_FROM: {
    meaning: 'start of a closed window of the audit trail, of some hundred events',
    example: '2025-01-01T00:00:00Z',
    kind: pastInstant,
  },
  EXPORT_TO: {
    meaning: `end of that window, in the past; the ${pdfLimitInWords} events of a PDF are counted up to it`,
    example: '2025-01-31T00:00:00Z',
    kind: pastInstant,
  },
  METADATA_VALUES: {
    meaning: 'metadata values known to occur in the audit trail; a key may repeat',
    example: `${keyOf.tag}=vip,${keyOf.tag}=new,${keyOf.step}=review`,
    kind: metadata,
    default: {} as Record<string, string[]>,
  },
  WRONG_REGION_URL: {
    meaning: "another region's base, where the key must not work",
    example: 'https://api.other-region.example.com/v5',
    kind: address('https://api.other-region.example.com/v5'),
  },
  OUTSIDE_PROXY_URL: {
    meaning: 'an egress proxy whose address is outside the allow list',
    example: 'http://outside.example.com:3128',
    kind: address('http://outside.example.com:3128', { userinfo: true }),
  },
  PROXY_URL: {
    meaning: 'proxy through which the service is reached',
    example: 'http://proxy.example.com:3128',
    kind: address('http://proxy.example.com:3128', { userinfo: true }),
  },
  CA_FILE: {
    meaning: 'certificates (PEM) to check the certificate of the service against',
    example: 'certificates/ca.pem',
    kind: pem('CERTIFICATE'),
  },
  CLIENT_CERT_FILE: {
    meaning: 'client certificate (PEM), together with CLIENT_KEY_FILE',
    example: 'certificates/client.pem',
    kind: pem('CERTIFICATE'),
  },
  CLIENT_KEY_FILE: {
    meaning: 'private key of the client certificate (PEM, without a passphrase)',
    example: 'certificates/client-key.pem',
    kind: pem('PRIVATE KEY'),
  },
  EXTRA_HEADERS: {
    meaning: 'further headers for a gateway, secret like the key; a comma in a value is %2C',
    example: 'x-gateway-key=your-other-key,x-tenant=staging',
    kind: headers,
    default: {} as Record<string, string>,
  },
  TRACE: {
    meaning: 'send a traceparent with each request, to find it in the log of the service',
    example: '0',
    kind: toggle,
    default: true,
  },
  REVISION_HEADER: {
    meaning: 'response header that names the revision of the service, kept in every report',
    example: 'x-revision',
    kind: headerName,
  },
  ARRAY_ENCODING: {
    meaning: `how lists are written in a query: ${either(['auto', ...declarableEncodings])}`,
    example: 'auto',
    kind: arrayEncoding,
    default: 'auto',
  },
  NOT_PERMITTED: {
    meaning: 'operations or clause ids that this key may not use; they are not checked',
    example: 'export,task.read.not-found',
    kind: notPermitted,
    default: [] as string[],
  },
  REQUESTS_PER_SECOND: {
    meaning: 'most requests a second, up to 1000; unset: no limit',
    example: '5',
    kind: rate(1000),
  },
  CONCURRENCY: {
    meaning: 'how many clauses run at a time, 1 to 64',
    example: '8',
    kind: wholeNumber(1, 64),
    default: 8,
  },
  TIMEOUT_MS: {
    meaning: 'milliseconds that one request may take, 100 to 600000',
    example: '10000',
    kind: wholeNumber(100, 600_000),
    default: 10_000,
  },
  DOWNLOAD_TIMEOUT_S: {
    meaning: 'seconds that an export may take to its first byte, 1 to 3600',
    example: '60',
    kind: wholeNumber(1, 3600),
    default: 60,
  },
  MAX_EXPORT_MB: {
    meaning: 'megabytes that an export may have, 1 to 4096',
    example: '512',
    kind: wholeNumber(1, 4096),
    default: 512,
  },
  MAX_WRITES: {
    meaning: 'most accepted assignment updates of a run, 0 to 100000; unset: no limit',
    example: '200',
    kind: wholeNumber(0, 100_000),
  },
  SETTLE_MS: {
    meaning: 'milliseconds to wait for a change to show, 0 to 60000',
    example: '2000',
    kind: wholeNumber(0, 60_000),
    default: 2000,
  },
  MAIL_WAIT_S: {
    meaning: 'seconds to wait for an email, 0 to 3600',
    example: '30',
    kind: wholeNumber(0, 3600),
    default: 30,
  },
  AUDIT_WAIT_S: {
    meaning: 'seconds to wait for an event in the audit trail, 0 to 3600',
    example: '30',
    kind: wholeNumber(0, 3600),
    default: 30,
  },
  RUN_TIMEOUT_S: {
    meaning:
      'seconds that a run may take, 1 to 86400; putting tasks back may take half a minute more',
    example: '1800',
    kind: wholeNumber(1, 86_400),
    default: 1800,
  },
  SEED: {
    meaning: 'seed of everything random, 0 to 4294967295; printed in every report',
    example: '42',
    kind: wholeNumber(0, 2 ** 32 - 1),
  },
  KEY_IN_QUERY: {
    meaning: 'try the key in the query string of a URL too; URLs may be logged',
    example: '1',
    ...off,
  },
  READ_ONLY: {
    meaning: 'send no assignment update, as --read-only',
    example: '1',
    ...off,
  },
  BODIES: {
    meaning:
      'which bodies reports keep: none, failed (and small JSON that a pass depends on) or all',
    example: 'failed',
    kind: oneOf('none', 'failed', 'all'),
    default: 'failed',
  },
  REPORTS_DIR: {
    meaning: 'folder for the reports',
    example: 'reports',
    kind: folder,
  },
  JOURNAL_DIR: {
    meaning: 'folder of the restore journal; unset: journal, beside REPORTS_DIR',
    example: 'journal',
    kind: folder,
  },
} satisfies Table

/** Settings of earlier versions, each with what to do instead. */
export const removedSettings: Readonly<Record<string, string>> = {
  EXPORT_FACTS: 'unset it: each run finds out what an export looks like',
  PROFILE: 'write --profile NAME',
  AS_OF: 'write --as-of VERSION',
  STRICT: 'write --strict',
  RECORD_DIR: 'write --record DIR',
  RECORD: 'write --record DIR',
}

export type Name = keyof typeof table

export const names = Object.keys(table) as Name[]

/** The help shows these, and setup asks for them. */
export const mainSettings = [
  'BASE_URL',
  'API_KEY',
  'TASK_IDS',
  'READ_TASK_IDS',
  'ASSESSMENT_IDS',
  'ACTOR_ID',
  'USER_IDS',
  'TEAM_IDS',
] as const satisfies Name[]

export type Texts = TextsOf<typeof table>

export type Values = ValuesOf<typeof table>

export type Settings = SettingsOf<typeof table> & {
  /** no trailing slash; empty until the embedded service has started */
  baseUrl: string
  embedded: boolean
  apiKey: string
  seed: number
  strict: boolean
  profile: ProfileName
  /** clauses that are newer than this version do not count */
  asOf?: (typeof versions)[number]
  reportsDir: string
  journalDir: string
  /** null: no report may contain the value */
  given?: Record<string, string | null>
  files?: Record<string, string[]>
  /** what was repaired or looks odd, as sentences */
  notices: string[]
  /** the folder in which exported files are kept */
  keepFiles?: string
  /** reaches a service in this process without sockets; not plain data, so clauses then run there too */
  transport?: Transport
}
