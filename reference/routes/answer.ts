import { pipeline, Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import {
  type Body,
  type Call,
  type CheckName,
  type FoundRecord,
  isUuid,
  type Operation,
  type Refusal,
  reasonsOfChecks,
  refusal,
} from '../calls/call.ts'
import type { Export } from '../calls/export-call.ts'
import type { Setup } from '../state/setup.ts'

const encoders = { gzip: zlib.gzipSync, br: zlib.brotliCompressSync, deflate: zlib.deflateSync }

export function succeed(setup: Setup, call: Call, resource: object): Response {
  const { stated, open } = setup
  const text = stated.answerText({ ...call, resource })
  return answer(setup, call, open.successStatus(call), { type: open.contentType(call), text })
}

/** Answers a refused request; `record` is what it asked for. */
export function refuse(setup: Setup, call: Call, refusal: Refusal, record?: FoundRecord): Response {
  const { stated, open } = setup
  const body = open.errorBody({ ...call, ...refusal })
  return answer(
    setup,
    call,
    refusal.status,
    stated.refusalBody({ ...call, ...refusal, record, body }),
  )
}

function answer({ open }: Setup, call: Call, status: number, { type, text }: Body): Response {
  const headers = new Headers(open.headers({ ...call, status }))
  if (type !== undefined) headers.set('content-type', type)
  if (text === '' || status === 204 || status === 205 || status === 304) {
    return new Response(null, { status, headers })
  }
  const encoding = open.encoding({ ...call, status })
  const bytes = Buffer.from(text)
  if (encoding === 'identity') return new Response(bytes, { status, headers })
  headers.set('content-encoding', encoding)
  return new Response(encoders[encoding](bytes), { status, headers })
}

export async function answerFile(
  { stated, open }: Setup,
  asked: Export,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Response> {
  const written = {
    type: open.exportContentType(asked),
    content: Readable.toWeb(Readable.from(pieces)) as ReadableStream,
  }
  const file = await stated.file({ ...asked, file: written })
  const { type, content, headers = {} } = open.delivery({ ...asked, file })
  const status = stated.exportStatus(asked)
  const response = new Response(status === 204 ? null : content, {
    status,
    headers: { ...open.headers({ ...asked, status }), ...headers },
  })
  const disposition = open.disposition(asked)
  if (disposition !== undefined) response.headers.set('content-disposition', disposition)
  // A text body gets a type by default: keep what the service chose.
  if (type !== undefined) response.headers.set('content-type', type)
  else response.headers.delete('content-type')
  return compressed(response, open.encoding({ ...asked, status }))
}

const streams = {
  gzip: zlib.createGzip,
  // The default quality of brotli takes seconds for a file.
  br: () => zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  deflate: zlib.createDeflate,
}

const compressed = (response: Response, encoding: 'identity' | keyof typeof streams): Response => {
  if (encoding === 'identity' || response.body === null) return response
  const stream = streams[encoding]()
  pipeline(Readable.fromWeb(response.body as never), stream, () => {})
  const { status, headers } = response
  headers.set('content-encoding', encoding)
  return new Response(Readable.toWeb(stream) as ReadableStream, { status, headers })
}

/** Each check returns the status to refuse with, if any, and what is wrong if that is known. */
export type Checks = Partial<
  Record<CheckName, () => number | undefined | { status: number | undefined; wrong?: string }>
>

export const callerChecks = (setup: Setup, call: Call, record: FoundRecord): Checks => ({
  key: () => (isKnownCaller(setup, call) ? undefined : setup.stated.unauthorizedStatus(call)),
  permission: () =>
    setup.open.permits({ ...call, record }) ? undefined : setup.open.forbiddenStatus(call),
})

/** Whether the key is valid and, with allow listing, the address of the caller. */
function isKnownCaller({ stated, open, world }: Setup, call: Call): boolean {
  const allowed = open.allowedAddresses(call)
  const given = stated.givenKey(call)
  const keyed =
    given === null
      ? !stated.keyIsRequired(call)
      : stated.keyIsValid({ ...call, given, key: world.apiKey })
  return keyed && stated.addressIsAllowed({ ...call, allowed })
}

export const checksOf = (setup: Setup, call: Call, record: FoundRecord): Checks => ({
  ...callerChecks(setup, call, record),
  path: () => (record || isUuid(call.id) ? undefined : setup.open.malformedIdStatus(call)),
  found: () => (record ? undefined : setup.stated.notFoundStatus(call)),
})

/** What an error body says of an id that nothing has, for each operation with an id. */
const nameOfUnknown: Record<Operation, string> = {
  'task.read': 'Task not found',
  'assign.update': 'Task not found',
  'assign.unassign': 'Task not found',
  'assessment.read': 'Not Found',
  export: 'Not Found',
  unknown: 'Not Found',
}

export function firstRefusal({ open }: Setup, call: Call, checks: Checks): Refusal | undefined {
  const names = new Set([...open.order(call), ...(Object.keys(checks) as CheckName[])])
  for (const check of names) {
    const found = checks[check]?.()
    const { status, wrong } = typeof found === 'object' ? found : { status: found }
    if (status === undefined) continue
    const refused = refusal(reasonsOfChecks[check], status, wrong)
    const isOfId = check === 'path' || check === 'found'
    return isOfId ? { ...refused, name: nameOfUnknown[call.op] } : refused
  }
  return undefined
}
